import { compareVersions } from "../../kernel/merge/keep-both.ts";
import { type DocumentMerge, mergeTextDocument } from "../../kernel/merge/merge-document.ts";
import { mergeText } from "../../text/merge-text.ts";
import { matchEdited, matchSame, senseOf } from "./match-entries.ts";
import { orderSlots, type Slot } from "./order-entries.ts";
import { closed, parseTopicFile, type RawEntry, type TopicFile } from "./topic-file.ts";

/**
 * Merges a file of entries by entry (HIST-4): both sides' new ones are kept, what one side took out and the other did
 * not touch stays out, and of one that both changed in the same lines both versions are kept as entries.
 */
export function mergeTopic(base: string | undefined, ours: string, theirs: string): DocumentMerge {
  if (ours === theirs || theirs === base) return { kind: "merged", content: ours };
  if (ours === base) return { kind: "merged", content: theirs };
  const files = [base ?? "", ours, theirs].map(parseTopicFile) as [TopicFile, TopicFile, TopicFile];
  const [before, mine, other] = files;
  const slots = slotsOf(before.entries, mine.entries, other.entries);
  const entries = withoutRepeats(orderSlots(slots), mine.entries, other.entries);
  const preamble = mergeTextDocument(base === undefined ? undefined : before.preamble, mine.preamble, other.preamble);
  const content = render(preamble.content, entries);
  const doubled = slots.flatMap(({ versions }) => (versions.length > 1 ? [versions[0]?.title ?? ""] : []));
  const more = doubled.length > 0 ? { doubled } : {};
  return preamble.kind === "merged"
    ? { kind: "merged", content, ...more }
    : { kind: "conflict", content, beside: preamble.beside, ...more };
}

/** Every entry that stays, with its place on each side. */
function slotsOf(base: readonly RawEntry[], ours: readonly RawEntry[], theirs: readonly RawEntry[]): Slot[] {
  const [byUs, byThem] = [matchEdited(base, ours), matchEdited(base, theirs)];
  const known = base.map((entry, index): Slot => {
    const places = { base: index, ours: byUs.get(index), theirs: byThem.get(index) };
    return { ...places, versions: mergeEntry(entry, ours[places.ours ?? -1], theirs[places.theirs ?? -1]) };
  });
  const newOurs = unmatched(ours, byUs);
  const newTheirs = unmatched(theirs, byThem);
  const pairs = matchSame(
    newOurs.map((index) => ours[index] as RawEntry),
    newTheirs.map((index) => theirs[index] as RawEntry),
  );
  const paired = new Set(pairs.values());
  const fresh = newOurs.map((index, at): Slot => {
    const twin = newTheirs[pairs.get(at) ?? -1];
    const versions = [ours[index] as RawEntry, ...(twin === undefined ? [] : [theirs[twin] as RawEntry])];
    return { ours: index, theirs: twin, versions: [fullest(versions)] };
  });
  const theirOwn = newTheirs.filter((_, at) => !paired.has(at));
  return [
    ...known.filter(({ versions }) => versions.length > 0),
    ...fresh,
    ...theirOwn.map((index): Slot => ({ theirs: index, versions: [theirs[index] as RawEntry] })),
  ];
}

function unmatched(entries: readonly RawEntry[], matched: ReadonlyMap<number, number>): number[] {
  const taken = new Set(matched.values());
  return [...entries.keys()].filter((index) => !taken.has(index));
}

/** The versions of an entry that stay: none, one, or both. */
function mergeEntry(base: RawEntry, ours: RawEntry | undefined, theirs: RawEntry | undefined): RawEntry[] {
  if (!ours || !theirs) {
    const left = ours ?? theirs;
    return left && senseOf(left) !== senseOf(base) ? [left] : [];
  }
  if (ours.raw === theirs.raw || theirs.raw === base.raw) return [ours];
  if (ours.raw === base.raw) return [theirs];
  if (senseOf(ours) === senseOf(theirs)) return [fullest([ours, theirs])];
  const merged = mergeText(base.raw, ours.raw, theirs.raw);
  const file = merged.kind === "merged" ? parseTopicFile(merged.content) : undefined;
  // Two good halves can make a text that is no entry, or two of them.
  if (file?.entries.length === 1 && file.preamble === "") return [...file.entries];
  return [ours, theirs].toSorted((one, other) => compareVersions(one.raw, other.raw));
}

/** Of entries that say the same, the one with the most bytes. */
function fullest(versions: readonly RawEntry[]): RawEntry {
  return versions.toSorted((one, other) => compareVersions(one.raw, other.raw))[0] as RawEntry;
}

/** What each side holds once is there once, on whichever way it came in. */
function withoutRepeats(
  entries: readonly RawEntry[],
  ours: readonly RawEntry[],
  theirs: readonly RawEntry[],
): RawEntry[] {
  const [inOurs, inTheirs, left] = [count(ours), count(theirs), new Map<string, number>()];
  return entries.filter((entry) => {
    const sense = senseOf(entry);
    const most = Math.max(1, inOurs.get(sense) ?? 0, inTheirs.get(sense) ?? 0);
    const seen = (left.get(sense) ?? 0) + 1;
    left.set(sense, seen);
    return seen <= most;
  });
}

function count(entries: readonly RawEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(senseOf(entry), (counts.get(senseOf(entry)) ?? 0) + 1);
  return counts;
}

/** Every byte as it was, but that an entry which comes below another must begin a line, and outside of a fence. */
function render(preamble: string, entries: readonly RawEntry[]): string {
  const parts = [preamble, ...entries.map(({ raw }) => raw)];
  return parts.map((part, index) => (index < parts.length - 1 ? closed(part) : part)).join("");
}
