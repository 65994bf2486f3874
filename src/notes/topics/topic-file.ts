import { splitFrontMatter } from "../../text/front-matter.ts";
import { closesFence, fenceOpenedBy, fences, parseEntryHeading } from "../../text/markdown-lines.ts";

/** One entry as it stands in a file: every byte of it, from its heading to the next one. */
export interface RawEntry {
  readonly date: string;
  readonly title: string;
  readonly raw: string;
}

/** A file of entries. Its parts, one after the other, are the file, byte for byte (TOP-2). */
export interface TopicFile {
  /** Whatever stands before the first entry. */
  readonly preamble: string;
  /** In the order of the file, which is newest first. */
  readonly entries: readonly RawEntry[];
}

export function parseTopicFile(text: string): TopicFile {
  const starts: { at: number; date: string; title: string }[] = [];
  for (const { line, at, inFence } of linesOf(text)) {
    const found = inFence ? undefined : parseEntryHeading(line);
    if (found) starts.push({ at, ...found });
  }
  const entries = starts.map(({ at, date, title }, index) => ({
    date,
    title,
    raw: text.slice(at, starts[index + 1]?.at),
  }));
  return { preamble: text.slice(0, starts[0]?.at), entries };
}

/** Whatever stands before the first entry, without a look at the rest of a long file. */
export function preambleOf(text: string): string {
  for (const { line, at, inFence } of linesOf(text)) {
    if (!inFence && parseEntryHeading(line)) return text.slice(0, at);
  }
  return text;
}

export function renderTopicFile({ preamble, entries }: TopicFile): string {
  return preamble + entries.map(({ raw }) => raw).join("");
}

export interface Line {
  /** Without its newline. */
  readonly line: string;
  readonly at: number;
  /** Whether it lies in a code fence that began above it. */
  readonly inFence: boolean;
  /** The marks of the fence that is open below it. */
  readonly open: string | undefined;
}

/** The lines of a text from a place on; of a file, those below its front matter, which has neither fences nor entries. */
export function* linesOf(text: string, from = splitFrontMatter(text).frontMatter.length): Generator<Line> {
  let open: string | undefined;
  for (let at = from; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? undefined : end);
    const inFence = open !== undefined;
    if (open === undefined) open = fenceOpenedBy(line, fences.topic);
    else if (closesFence(line, open)) open = undefined;
    yield { line, at, inFence, open };
    if (end === -1) return;
    at = end + 1;
  }
}

/** The fence that a text leaves open, which would swallow everything below it. */
export function openFenceOf(text: string): string | undefined {
  let last: string | undefined;
  for (const { open } of linesOf(text)) last = open;
  return last;
}

/** TOP-4: over either of these a file is pruned. */
export const maxEntries = 10;
export const maxBytes = 5120;
/** So many stay whatever their size. */
const leastEntries = 5;

/** What stays, and what goes into the archive, both newest first. */
export function pruneEntries(file: TopicFile): { kept: TopicFile; pruned: readonly RawEntry[] } {
  let count = Math.min(file.entries.length, maxEntries);
  while (count > leastEntries && sizeOf(file, count) > maxBytes) count -= 1;
  return { kept: { ...file, entries: file.entries.slice(0, count) }, pruned: file.entries.slice(count) };
}

function sizeOf(file: TopicFile, count: number): number {
  return Buffer.byteLength(renderTopicFile({ ...file, entries: file.entries.slice(0, count) }));
}
