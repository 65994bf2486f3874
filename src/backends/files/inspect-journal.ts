import { closeSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { firstLink, goesOnFrom, linkOf } from "../../kernel/record-chain.ts";
import { isRev, type Rev } from "../../kernel/revision.ts";
import { auxiliaryNames, isKept } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import type { JournalPosition } from "./journal.ts";
import { parseRecord } from "./journal-record.ts";
import { closedSegments, openForReading, readHeader, type SegmentHeader, toHeaderLine } from "./journal-segment.ts";
import { readKept } from "./kept-revisions.ts";

export interface JournalInspection {
  readonly journal: string;
  readonly begins: string | undefined;
  /** The records up to the position. */
  readonly recorded: readonly string[];
  readonly faults: readonly string[];
  /** Lines that go on from an earlier one than the line before them. */
  readonly forks: readonly string[];
}

interface Segment {
  readonly name: string;
  readonly header: SegmentHeader;
  readonly headerLine: string;
  readonly lines: readonly Line[];
  /** Whether its last line has its end. */
  readonly isEnded: boolean;
  readonly size: number;
}

interface Line {
  readonly text: string;
  readonly number: number;
  /** The offset behind it. */
  readonly end: number;
}

/** Looks at every byte of a folder's journal. Undefined where there is none. */
export function inspectJournal(
  auxiliary: Directory,
  after: JournalPosition | undefined,
): JournalInspection | undefined {
  const segments = readSegments(auxiliary);
  const [oldest] = segments;
  if (!oldest) return undefined;
  const faults = segments.flatMap((segment, index) => headerFaults(segment, segments[index - 1]));
  const chain = checkChain(segments);
  faults.push(...chain.faults);
  const isBefore = (segment: Segment, { end }: Line) =>
    after !== undefined &&
    (segment.header.segment < after.segment || (segment.header.segment === after.segment && end <= after.offset));
  const recorded = segments.flatMap((segment) =>
    segment.lines.filter((line) => isBefore(segment, line) && isWhole(line)).map(({ text }) => text),
  );
  return { journal: oldest.header.journal, begins: linkOf(oldest.headerLine), recorded, faults, forks: chain.forks };
}

/** A record, or one of another kind that the chain goes through. */
function isWhole({ text }: Line): boolean {
  return linkOf(text) !== undefined || parseRecord(text) !== undefined;
}

/**
 * Kept revisions whose bytes are others than their name says. An empty one is a copy whose bytes a power cut took: where
 * they are nowhere else, verify misses them.
 */
export function findBadBytes(auxiliary: Directory): Rev[] {
  const revs = readdirSync(auxiliary.at("."))
    .filter(isKept)
    .map((name) => name.slice("kept-".length));
  const isEmpty = (rev: Rev) =>
    lstatSync(auxiliary.at(auxiliaryNames.kept(rev)), { throwIfNoEntry: false })?.size === 0;
  return revs.filter(isRev).filter((rev) => !readKept(auxiliary, rev) && !isEmpty(rev));
}

function readSegments(auxiliary: Directory): Segment[] {
  const closed = closedSegments(auxiliary).map((number) => readSegment(auxiliary, `journal-${number}`, number));
  return [...closed, readSegment(auxiliary, "journal")].flatMap((segment) => segment ?? []);
}

function readSegment(auxiliary: Directory, name: string, number?: number): Segment | undefined {
  const descriptor = openForReading(auxiliary, number);
  if (descriptor === undefined) return undefined;
  try {
    const bytes = readFileSync(descriptor);
    const header = readHeader(descriptor);
    const [first, ...lines] = linesOf(bytes);
    const headerLine = first?.text ?? "";
    const link = linkOf(headerLine);
    return {
      name,
      header: link === undefined ? header : { ...header, link },
      headerLine,
      lines,
      isEnded: bytes.length === (lines.at(-1)?.end ?? first?.end ?? -1),
      size: bytes.length,
    };
  } finally {
    closeSync(descriptor);
  }
}

/** Whole lines, and what is left at the end as one more. */
function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(0x0a, at);
    const stop = found < 0 ? bytes.length : found;
    // One that has no end lies behind every position.
    const end = found < 0 ? bytes.length + 1 : found + 1;
    lines.push({ text: bytes.toString("utf8", at, stop), number: lines.length + 1, end });
    at = stop + 1;
  }
  return lines;
}

function headerFaults({ name, header, headerLine }: Segment, before: Segment | undefined): string[] {
  const { journal, segment, previousEnd, link } = header;
  const isOld = !headerLine.includes('"check":') && headerLine === oldHeaderLine(header);
  if (!isOld && headerLine !== toHeaderLine(header)) return [`has a changed first line in “${name}”`];
  const faults: string[] = [];
  if (name !== "journal" && name !== `journal-${segment}`)
    faults.push(`has segment ${segment} under the name “${name}”`);
  if (!before && segment === 1 && link !== undefined && link !== firstLink(journal)) {
    faults.push(`does not begin where it should in “${name}”`);
  }
  if (before && (before.header.journal !== journal || before.header.segment !== segment - 1)) {
    faults.push(`has lost a segment, or got a foreign one, before “${name}”`);
  } else if (before && before.size !== previousEnd) {
    faults.push(`was cut off, or grew, in “${before.name}”: it has ${before.size} bytes and had ${previousEnd}`);
  }
  return faults;
}

/** As it was written before headers had a hash of themselves. */
function oldHeaderLine({ journal, segment, previousEnd, link }: SegmentHeader): string {
  return JSON.stringify({ recollect: "journal", format: 1, journal, segment, previousEnd, link });
}

function checkChain(segments: readonly Segment[]): { faults: string[]; forks: string[] } {
  const faults: string[] = [];
  const forks: string[] = [];
  const links = new Set<string>();
  let previous = segments[0] ? linkOf(segments[0].headerLine) : undefined;
  for (const segment of segments) {
    const begins = linkOf(segment.headerLine);
    if (segment !== segments[0] && begins !== previous) {
      faults.push(`does not go on in “${segment.name}” where the segment before ends`);
    }
    if (begins !== undefined) links.add(begins);
    const checked = checkLines(segment, { begins, isLast: segment === segments.at(-1), links });
    faults.push(...checked.faults);
    forks.push(...checked.forks);
    previous = checked.end;
  }
  return { faults, forks };
}

interface ChainContext {
  /** The link that the first line of the segment goes on from. */
  readonly begins: string | undefined;
  readonly isLast: boolean;
  /** Of all lines so far. */
  readonly links: Set<string>;
}

/**
 * The lines of one segment. Where a lock is deleted while a stopped process holds it, another one writes too, and two
 * lines go on from the same one: a fork, and no damage. A line that is there twice has the link of the first.
 */
function checkLines({ name, lines, isEnded }: Segment, { begins, isLast, links }: ChainContext) {
  const faults: string[] = [];
  const forks: string[] = [];
  let previous = begins;
  let torn: Line | undefined;
  for (const line of lines) {
    const link = linkOf(line.text);
    if (link === undefined) {
      // Before the first link there were none; after it, only a power cut leaves a line that is not whole.
      if (previous !== undefined || !parseRecord(line.text)) torn = line;
      continue;
    }
    const place = placeOf(line.text, { previous: previous ?? "", link, links });
    if (place === "fork") forks.push(line.text);
    links.add(link);
    if (place !== "none") torn = undefined;
    else faults.push(`is not as it was written at line ${line.number} of “${name}”${timeOf(line)}`);
    previous = link;
  }
  if (torn && (isLast || !isEnded)) {
    faults.push(`has a line that is not whole at its end, line ${torn.number} of “${name}”`);
  } else if (!isEnded) faults.push(`has lost the end of its last line in “${name}”`);
  return { faults, forks, end: previous };
}

/** Whether a line follows the one before it, an earlier one, or nothing that is there. */
function placeOf(
  text: string,
  { previous, link, links }: { previous: string; link: string; links: ReadonlySet<string> },
): "next" | "fork" | "none" {
  if (goesOnFrom(previous, text)) return "next";
  return !links.has(link) && [...links].some((earlier) => goesOnFrom(earlier, text)) ? "fork" : "none";
}

function timeOf({ text }: Line): string {
  const time = parseRecord(text)?.time;
  return time === undefined ? "" : ` (${time})`;
}
