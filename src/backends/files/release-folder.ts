import { readdirSync, rmSync } from "node:fs";
import { auxiliaryNames, isKept, isStagedName } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { dropClosedSegments, dropJournal, type JournalPosition, readJournal } from "./journal.ts";

/** Drops what history has taken over from one folder, with the folder's lock held. */
export function releaseFolder(auxiliary: Directory, upTo: JournalPosition): void {
  const later = readJournal(auxiliary, upTo, Number.POSITIVE_INFINITY);
  // Another journal than the one that was consumed, or parts of it are gone: nothing here was taken over for sure.
  if (!later || later.gap) return;
  const wanted = new Set(
    later.records.flatMap(({ rev, was }) => [rev, was]).flatMap((rev) => (rev ? [auxiliaryNames.kept(rev)] : [])),
  );
  for (const name of readdirSync(auxiliary.at("."))) {
    if (isKept(name) && !wanted.has(name)) rmSync(auxiliary.at(name), { force: true });
  }
  dropJournal(auxiliary, upTo);
}

/**
 * Drops what was superseded in one folder, where nobody takes it over, and what killed processes staged. With its lock
 * held, after a commit.
 */
export function forgetFormer(auxiliary: Directory): void {
  for (const name of readdirSync(auxiliary.at("."))) {
    if (isKept(name) || isStagedName(name)) rmSync(auxiliary.at(name), { force: true });
  }
  dropClosedSegments(auxiliary);
}
