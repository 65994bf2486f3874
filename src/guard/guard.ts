import { type Finding, fingerprintOf } from "./finding.ts";
import { findInvisible, invisibleRule, mayHoldUnseen, visibleOf } from "./invisible.ts";
import { positionsIn } from "./positions.ts";
import { rules } from "./rules/all.ts";
import { seedListRule } from "./rules/seed-list.ts";
import { createScanner, type Hit, type Scanner } from "./scan.ts";

/** `warn` finds what `standard` finds; that it lets pass is for the caller to do, who also records it. */
export type GuardPolicy = "standard" | "strict" | "warn";

export interface GuardOptions {
  readonly policy: GuardPolicy;
  /** Fingerprints of values that somebody allowed, with a reason, elsewhere. */
  readonly allowed: ReadonlySet<string>;
}

export interface Guard {
  /** What a content holds. */
  scan(text: string): Finding[];
  /** What a document's path holds, less what stood in the one that it was kept under until now. */
  scanName(name: string, nameBefore?: string): Finding[];
}

/** Nothing in a scanned text can switch this off: there is no comment, marker or front matter that it reads. */
export function createGuard({ policy, allowed }: GuardOptions): Guard {
  const find = (text: string, where: Finding["where"]): Finding[] =>
    findingsOf(text, where, scannerOf(policy)).filter(({ fingerprint }) => !allowed.has(fingerprint));
  return {
    scan: (text) => find(text, "content"),
    scanName: (name, nameBefore) =>
      name === nameBefore ? [] : without(find(name, "name"), nameBefore ? find(nameBefore, "name") : []),
  };
}

const scanners = new Map<boolean, Scanner>();

/** Its table of anchors takes milliseconds to build: once in a process, and in one that writes nothing never. */
function scannerOf(policy: GuardPolicy): Scanner {
  const isStrict = policy === "strict";
  const scanner = scanners.get(isStrict) ?? createScanner(isStrict ? [...rules, seedListRule] : rules);
  scanners.set(isStrict, scanner);
  return scanner;
}

/** A text can hold more than anybody will read, and each fingerprint costs a hash. */
const maxFindings = 1000;

interface Place {
  readonly rule: string;
  readonly title: string;
  readonly start: number;
  readonly value: string;
}

function findingsOf(text: string, where: Finding["where"], scanner: Scanner): Finding[] {
  const places = mayHoldUnseen(text) ? placesAmongUnseen(text, scanner) : placesIn(text, scanner);
  if (places.length === 0) return [];
  const positionOf = positionsIn(text);
  const findingOf = ({ rule, title, start, value }: Place): Finding => ({
    rule,
    title,
    ...positionOf(start),
    where,
    fingerprint: fingerprintOf(rule, value),
  });
  places.sort((a, b) => a.start - b.start);
  const rest = places[maxFindings];
  const listed = places.slice(0, maxFindings).map(findingOf);
  // Beyond the limit the rest of the text is one finding, so that nothing can hide behind a thousand old ones.
  return rest ? [...listed, { ...findingOf({ ...rest, value: text.slice(rest.start) }), andAllAfter: true }] : listed;
}

function placesAmongUnseen(text: string, scanner: Scanner): Place[] {
  const invisible = invisiblePlaces(text);
  // What comes after more of these than are listed is refused as a whole, so it need not be read.
  const visible = visibleOf(text.slice(0, invisible[maxFindings]?.start));
  return [...invisible, ...scanner(visible.text).map((hit) => placeOf(hit, visible.toOriginal))];
}

function placesIn(text: string, scanner: Scanner): Place[] {
  return scanner(text).map((hit) => placeOf(hit, (offset) => offset));
}

function placeOf({ rule, start, value, hiddenIn }: Hit, toOriginal: (offset: number) => number): Place {
  const title = hiddenIn ? `${rule.title}, hidden in ${hiddenIn}` : rule.title;
  // Words of the strict list are allowed as words, however they are written.
  return { rule: rule.id, title, start: toOriginal(start), value: rule === seedListRule ? value.toLowerCase() : value };
}

/** What stands around it is part of the value: an old one in one place must not excuse a new one in another. */
function invisiblePlaces(text: string): Place[] {
  return findInvisible(text, maxFindings + 1).map(({ start, end, title }) => ({
    rule: invisibleRule,
    title,
    start,
    value: text.slice(Math.max(0, start - 24), start + 64).concat(`\n${end - start}`),
  }));
}

/** Those that are not among the others, each of which excuses one. */
function without(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const left = new Map<string, number>();
  for (const { fingerprint } of others) left.set(fingerprint, (left.get(fingerprint) ?? 0) + 1);
  return findings.filter(({ fingerprint }) => {
    const count = left.get(fingerprint) ?? 0;
    if (count > 0) left.set(fingerprint, count - 1);
    return count === 0;
  });
}
