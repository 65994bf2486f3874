import type { DocumentPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import type { Address, Change, Current } from "../../kernel/store.ts";
import { parseEntryHeading } from "../../text/markdown-lines.ts";
import { archiveWith, toArchived } from "./archive-file.ts";
import { isUnreadable } from "./scan-topics.ts";
import { parseTopicFile, type RawEntry } from "./topic-file.ts";
import { archiveOf, archivePath, parseArchiveName } from "./topic-paths.ts";

/** An archive goes on in another file from here on: each change writes a whole one, and keeps the one before. */
const partBytes = 64 * 1024;

/** The archive of one topic and year: full parts, and the two that the next entries can go to. */
export interface YearArchive {
  readonly year: string;
  readonly full: readonly Address<DocumentPath>[];
  readonly open: readonly [Address<DocumentPath>, Address<DocumentPath>];
}

export function yearOf({ date }: { readonly date: string }): string {
  return date.slice(0, 4);
}

/** Which years are asked for, and which files are left alone since they cannot be read. */
export interface AskedYears {
  readonly years: ReadonlySet<string>;
  /** Also all others that there are. */
  readonly andOthers: boolean | undefined;
  readonly broken: ReadonlyMap<string, unknown>;
}

/** Which parts there are, from the names in the folder. */
export async function openYears(
  documents: Documents,
  root: string,
  topic: string,
  { years, andOthers, broken }: AskedYears,
): Promise<YearArchive[]> {
  const listing = await documents.browse({ root, folder: archiveOf(topic) });
  const all = (listing?.files ?? []).flatMap((path) => parseArchiveName(path.split("/").at(-1) ?? "") ?? []);
  const asked = andOthers ? new Set([...years, ...all.map(({ year }) => year)]) : years;
  return [...asked].map((year) => {
    const parts = new Set(all.filter((one) => one.year === year).map(({ part }) => part));
    const at = (part: number) => ({ root, path: archivePath(topic, year, part) });
    const isBroken = (part: number) => broken.has(at(part).path);
    // The last before a gap, and not the highest: somebody may have put a part 999999 there.
    let newest = 1;
    while (parts.has(newest + 1) || isBroken(newest + 1)) newest += 1;
    if (isBroken(newest)) newest += 1;
    const full = [...parts].filter((part) => part !== newest && !isBroken(part));
    return { year, full: full.map(at), open: [at(newest), at(newest + 1)] };
  });
}

/** Whether others began another part since the folder was looked at. */
export function isOutdated(archives: readonly YearArchive[], current: Current): boolean {
  return archives.some(({ open: [, next] }) => current(next) !== undefined);
}

/** Puts pruned entries at the top of the newest part of their year, or begins the next part where that is full. */
export function archiveChanges(
  pruned: readonly RawEntry[],
  subtopic: string,
  archives: readonly YearArchive[],
  current: Current,
  join = archiveWith,
): Change[] {
  return archives.flatMap(({ year, open: [newest, next] }): Change[] => {
    const entries = pruned.filter((entry) => yearOf(entry) === year).map((entry) => toArchived(entry, subtopic));
    if (entries.length === 0) return [];
    const added = entries.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
    const before = current(newest)?.content ?? "";
    const isFull = before !== "" && Buffer.byteLength(before) + added > partBytes;
    const [at, text] = isFull ? [next, ""] : [newest, before];
    return [{ kind: "put", at, content: join(text, entries) }];
  });
}

/** The entries of parts that nobody adds to any more, as far as they can be called this. */
export async function entriesInFull(
  documents: Documents,
  archives: readonly YearArchive[],
  title: string,
): Promise<RawEntry[]> {
  const entries: RawEntry[] = [];
  for (const at of archives.flatMap(({ full }) => full)) {
    try {
      entries.push(...entriesTitled(title, (await documents.read(at))?.content ?? ""));
    } catch (error) {
      // A broken part blocks nobody (KER-11).
      if (!isUnreadable(error)) throw error;
    }
  }
  return entries;
}

/** The entries of a text, or none where no line of it is a heading with this title: parsing is what costs. */
export function entriesTitled(title: string, text: string): readonly RawEntry[] {
  for (let at = text.indexOf(title); at !== -1; ) {
    const end = endOfLine(text, at);
    if (parseEntryHeading(text.slice(text.lastIndexOf("\n", at) + 1, end))?.title === title)
      return parseTopicFile(text).entries;
    at = text.indexOf(title, end);
  }
  return [];
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
