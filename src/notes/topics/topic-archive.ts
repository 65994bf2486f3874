import type { DocumentPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import type { Address, Change, Current } from "../../kernel/store.ts";
import { parseEntryHeading } from "../../text/markdown-lines.ts";
import { isUnreadable } from "./scan-topics.ts";
import {
  lineEndOf,
  parseTopicFile,
  preambleOf,
  putByDate,
  putOnTop,
  type RawEntry,
  renderTopicFile,
  withoutSeparator,
} from "./topic-file.ts";
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
interface AskedYears {
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

const origin = /^\*\*Archived from:\*\* (.*)$/;

/** An entry on its way into the archive says where it came from, in the line below its heading. */
export function toArchived({ raw, ...entry }: RawEntry, subtopic: string): RawEntry {
  const end = raw.indexOf("\n") + 1;
  const line = lineEndOf(raw);
  const [heading, body] = end === 0 ? [`${raw}${line}`, ""] : [raw.slice(0, end), raw.slice(end)];
  return { ...entry, raw: `${heading}**Archived from:** ${subtopic}${line}${body}` };
}

/** The entry as it was before it went into the archive. */
export function fromArchived(entry: RawEntry): RawEntry {
  if (originOf(entry) === undefined) return entry;
  const heading = entry.raw.indexOf("\n") + 1;
  const body = entry.raw.indexOf("\n", heading) + 1 || entry.raw.length;
  return { ...entry, raw: entry.raw.slice(0, heading) + entry.raw.slice(body) };
}

/** The subtopic that an archived entry came from; undefined where a person wrote it there. */
export function originOf({ raw }: Pick<RawEntry, "raw">): string | undefined {
  return origin.exec(raw.split("\n", 2)[1]?.trimEnd() ?? "")?.[1];
}

/** The archive with newly pruned entries at its top. */
export function archiveWith(text: string, pruned: readonly RawEntry[]): string {
  const preamble = preambleOf(text);
  return renderTopicFile(putOnTop({ preamble, entries: [] }, pruned)) + text.slice(preamble.length);
}

/** The archive with entries that come from elsewhere among its own, each in the place of its date. */
export function archiveWithByDate(text: string, entries: readonly RawEntry[]): string {
  return renderTopicFile(entries.reduceRight(putByDate, parseTopicFile(text)));
}

/** Whether another entry says the same; a date that was left to the clock is not compared (TOP-3). */
export function sameAs(fresh: RawEntry, withDate: boolean): (entry: RawEntry) => boolean {
  const text = textOf(fresh);
  return (entry) => entry.title === fresh.title && (!withDate || entry.date === fresh.date) && textOf(entry) === text;
}

/** All that an entry says below its heading, but not where it came from. */
export function textOf(entry: RawEntry): string {
  const lines = entry.raw.replaceAll("\r\n", "\n").split("\n");
  const text = withoutSeparator(lines.slice(originOf(entry) === undefined ? 1 : 2).join("\n")).trimEnd();
  // Blank lines are no text, but an indented first line is code.
  return text.replace(/^(?:[ \t]*\n)+/, "");
}
