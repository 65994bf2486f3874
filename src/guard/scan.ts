import { type AnchorIndex, indexAnchors } from "./anchors.ts";
import { unescaped, unmask } from "./disguises.ts";
import { isPublishedExample } from "./example-values.ts";
import { Effort, type Rule, type Span } from "./rule.ts";

/** A place where a rule found something. The value is for its fingerprint and goes no further. */
export interface Hit extends Span {
  readonly rule: Pick<Rule, "id" | "title">;
  /** The place of the rule among all: the lower, the surer. */
  readonly order: number;
  readonly value: string;
  readonly hiddenIn?: string;
}

export type Scanner = (text: string) => readonly Hit[];

/**
 * A text full of secrets, or of what almost is one, makes the rules work on and on. None of 762 Markdown files reached these limits;
 * what is above was made to be, and its rest is refused unread. That holds the cost (GUARD-5) and lets nothing by.
 */
const effortFor = (length: number) => 100_000 + length * 0.05;
const maxHits = 1000;
const unread: Hit["rule"] = {
  id: "too-much-to-check",
  title: "more that is, or nearly is, a secret than can be checked",
};

export function createScanner(rules: readonly Rule[]): Scanner {
  const inTheOpen = createFinder(rules);
  const byForm = createFinder(rules.filter((rule) => rule.knownByForm));
  return (text) => {
    const effort = new Effort(effortFor(text.length));
    const open = withoutOverlaps(inTheOpen(text, effort));
    const encoded = findEncoded(text, { byForm, inTheOpen }, effort);
    const escaped = findEscaped(text, byForm, effort, open);
    if (encoded.length === 0 && escaped.length === 0) return open;
    return [...open, ...encoded, ...escaped].sort((a, b) => a.start - b.start);
  };
}

type Finder = (text: string, effort: Effort) => Hit[];

interface EncodedFinders {
  readonly byForm: Finder;
  readonly inTheOpen: Finder;
}

/** Two layers are peeled: base64 of base64 is what pipelines make, and nobody writes three. */
function findEncoded(text: string, finders: EncodedFinders, effort: Effort, layers = 2): Hit[] {
  const unmasked = layers > 0 ? unmask(text) : undefined;
  if (!unmasked) return [];
  // What reads as text may be an assignment or a login; in other bytes only a form means anything.
  const found = (unmasked.readable ? finders.inTheOpen : finders.byForm)(unmasked.text, effort);
  // Only what reads as text can be a further layer; a picture is not worth another look.
  if (unmasked.readable) found.push(...findEncoded(unmasked.text, finders, effort, layers - 1));
  return found.map((hit) => {
    const { start, end, as } = unmasked.sourceOf(hit.start);
    return { ...hit, start, end, hiddenIn: as };
  });
}

/** What stands in the open is read once more among the escapes, and is no second finding. */
function findEscaped(text: string, find: Finder, effort: Effort, open: readonly Hit[]): Hit[] {
  const plain = unescaped(text);
  if (!plain) return [];
  const seen = new Set(open.map(identityOf));
  const found = find(plain.text, effort).filter((hit) => !seen.has(identityOf(hit)));
  return found.map((hit) => ({ ...hit, start: plain.toOriginal(hit.start), hiddenIn: "escapes" }));
}

function identityOf({ rule, value }: Hit): string {
  return `${rule.id}\n${value}`;
}

function createFinder(rules: readonly Rule[]): Finder {
  const anchors = rules.flatMap((rule, order) => rule.anchors.map((anchor) => ({ anchor, rule, order })));
  let index: AnchorIndex | undefined;
  return (text, effort) => {
    // Building it takes longer than reading a note, and few texts hold an encoding that is read by a finder of its own.
    index ??= indexAnchors(anchors.map(({ anchor }) => anchor));
    const hits: Hit[] = [];
    const published: Span[] = [];
    // A long value that holds its own anchor is read once. What stands beside the value is read, also before it.
    const taken: (Span | undefined)[] = [];
    const most = Math.min(effort.spent + effortFor(text.length), effort.limit);
    index.each(text, (id, anchor) => {
      const entry = anchors[id];
      if (!entry) return true;
      const { rule, order } = entry;
      const last = taken[order];
      if (isInside(anchor.start, last)) return true;
      const span = rule.find(text, anchor, effort);
      if (span && !isSame(span, last)) {
        const value = text.slice(span.start, span.end);
        taken[order] = span;
        if (isPublishedExample(value)) published.push(span);
        else hits.push({ rule, order, start: span.start, end: span.end, value });
      }
      if (effort.spent > most || hits.length + published.length >= maxHits) {
        const { start } = anchor;
        hits.push({ rule: unread, order: rules.length, start, end: text.length, value: text.slice(start) });
        return false;
      }
      return true;
    });
    return published.length === 0 ? hits : hits.filter((hit) => !published.some((example) => holds(example, hit)));
  };
}

function isInside(at: number, span: Span | undefined): boolean {
  return span !== undefined && span.start <= at && at < span.end;
}

function isSame(one: Span, other: Span | undefined): boolean {
  return one.start === other?.start && one.end === other.end;
}

/** A vaguer rule may see a part of a published example, which is none either. */
function holds(example: Span, hit: Span): boolean {
  return example.start <= hit.start && hit.end <= example.end;
}

/** One value, one hit: that of the surest rule. What was not read is never taken for a part of what was. */
function withoutOverlaps(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length === 0) return hits;
  const kept: Hit[] = [];
  for (const hit of hits.toSorted((a, b) => a.start - b.start || a.order - b.order)) {
    const last = kept.at(-1);
    if (!last || hit.start >= last.end || hit.rule === unread) kept.push(hit);
    else if (hit.order < last.order) kept[kept.length - 1] = hit;
  }
  return kept;
}
