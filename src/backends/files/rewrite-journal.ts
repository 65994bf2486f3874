import { randomUUID } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { firstLink, linkOf, withLink, withoutLink } from "../../kernel/record-chain.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Rewriting } from "../../kernel/trail.ts";
import { auxiliaryNames, isKept, shareWithFolder } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readPlainFile } from "./document-file.ts";
import { writeAll } from "./durable-file.ts";
import { type JournalPosition, readJournal } from "./journal.ts";
import { closedSegments, toHeaderLine } from "./journal-segment.ts";

/** Whether anything that lies here holds what is to go. */
export function holdsForbidden(auxiliary: Directory, { clean }: Rewriting): boolean {
  return readdirSync(auxiliary.at(".")).some((name) => {
    if (!/^(journal|kept-|new-|intent)/.test(name)) return false;
    const file = readPlainFile(auxiliary, name, Number.POSITIVE_INFINITY);
    return file !== undefined && clean(file.bytes) !== undefined;
  });
}

/**
 * Begins the journal of a folder anew, with the folder's lock held: its first line says why, then comes what history
 * has not taken over yet, without what is to go. What history has taken over stays in it alone. Gives where that
 * begins; undefined where there is no journal.
 */
export function rewriteJournal(
  auxiliary: Directory,
  after: JournalPosition | undefined,
  rewriting: Rewriting,
): JournalPosition | undefined {
  const slice = readJournal(auxiliary, after, Number.POSITIVE_INFINITY);
  if (!slice) return undefined;
  const former = cleanKept(auxiliary, rewriting);
  const journal = randomUUID();
  let link = firstLink(journal);
  const header = toHeaderLine({ journal, segment: 1, previousEnd: 0, link, purge: rewriting.mark });
  const pending = slice.lines
    .filter((line) => !rewriting.isKnown(line))
    .map((line) => {
      const cleaned = withLink(rewriting.cleanRecord(withoutLink(line)), link);
      link = linkOf(cleaned) ?? link;
      return `${cleaned}\n`;
    });
  const head = Buffer.from(`${header}\n`);
  const closed = closedSegments(auxiliary);
  const bytes = Buffer.concat([head, Buffer.from(pending.join(""))]);
  replace(auxiliary, auxiliaryNames.journalDraft, auxiliaryNames.journal, bytes);
  for (const segment of closed) rmSync(auxiliary.at(auxiliaryNames.journalSegment(segment)), { force: true });
  for (const name of former) rmSync(auxiliary.at(name), { force: true });
  auxiliary.syncNow();
  const before = head.subarray(Math.max(0, head.length - 256));
  return { journal, segment: 1, offset: head.length, mark: revisionOf(before) };
}

/** Revisions that wait for history, under the names of what they are now. Gives the names that are to go. */
function cleanKept(auxiliary: Directory, { clean, learn }: Rewriting): string[] {
  return readdirSync(auxiliary.at("."))
    .filter(isKept)
    .flatMap((name) => {
      const file = readPlainFile(auxiliary, name, Number.POSITIVE_INFINITY);
      const cleaned = file && clean(file.bytes);
      if (!file || !cleaned) return [];
      const rev = revisionOf(cleaned);
      learn(file.rev, rev);
      replace(auxiliary, auxiliaryNames.fresh(0), auxiliaryNames.kept(rev), cleaned);
      return [name];
    });
}

function replace(auxiliary: Directory, draft: string, name: string, bytes: Buffer): void {
  rmSync(auxiliary.at(draft), { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(auxiliary.at(draft), flags, 0o600);
  try {
    writeAll(descriptor, bytes);
    shareWithFolder(descriptor, auxiliary);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(auxiliary.at(draft), auxiliary.at(name));
}
