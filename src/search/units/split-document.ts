import { fences } from "../../text/markdown-lines.ts";
import type { DocumentKind, Unit } from "../unit.ts";
import type { TextRange } from "./code-details.ts";
import { cutSection } from "./cut-section.ts";
import { findOutline, firstMark, type Heading } from "./find-headings.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";

export interface DocumentText {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly content: string;
}

/** A unit, and what only those need who weigh it. */
export interface Section extends Unit {
  /** Where its text begins, below its heading. */
  readonly body: number;
  /** What other fields of the front matter say: on the first unit of a document alone. */
  readonly aside: string;
  /** Code in it past its first lines. */
  readonly details: readonly TextRange[];
}

interface Span {
  readonly heading: Heading | undefined;
  /** The titles of the headings above it. */
  readonly above: readonly string[];
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** The heading sections of a document, or the entries of a topic, in order; at least one, so that a name is found. */
export function splitDocument({ path, kind, content }: DocumentText): Section[] {
  const front = readFrontMatter(content);
  const outline = findOutline(content, front.end, kind === "topic" ? fences.topic : fences.markdown);
  const headings = thinned(kind === "topic" ? entriesOf(outline.headings) : outline.headings);
  const spans = spansOf(headings, front.end, content);
  const kept = spans.filter((span, index) => isKept(span, spans[index + 1], content));
  const root = front.title ?? titleOf(headings) ?? nameOf(path);
  const detailsWithin = createClipper(outline.details);
  const units: Section[] = [];
  for (const span of kept.length > 0 ? kept : spans.slice(0, 1)) {
    const [first = span.body, ...borders] = cutSection(content, span.body, span.end, outline.fences);
    let from = first;
    for (const to of borders) {
      const aside = units.length === 0 ? front.others : "";
      units.push({
        ...describe(span, front, root),
        start: from === first ? span.start : from,
        body: from,
        end: to,
        aside,
        details: detailsWithin(from, to),
      });
      from = to;
    }
  }
  return units;
}

/** The parts of ranges that lie in a piece of the text; to be asked for one piece after the other. */
function createClipper(ranges: readonly TextRange[]): (from: number, to: number) => TextRange[] {
  let next = 0;
  return (from, to) => {
    const within: TextRange[] = [];
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    for (let at = next; at < ranges.length; at += 1) {
      const { start, end } = ranges[at] as TextRange;
      if (start >= to) break;
      within.push({ start: Math.max(start, from), end: Math.min(end, to) });
    }
    return within;
  };
}

const mostHeadings = 4000;

/** A document of headings alone would hold everything up. Some of so many are as good as all to find one's way by. */
function thinned(headings: readonly Heading[]): readonly Heading[] {
  const step = Math.ceil(headings.length / mostHeadings);
  return step <= 1 ? headings : headings.filter((_, index) => index % step === 0);
}

/** In a topic only entries count, once there is one; what stands above them may have a heading. */
function entriesOf(headings: readonly Heading[]): readonly Heading[] {
  const first = headings.findIndex(({ date }) => date !== undefined);
  return first === -1 ? headings : headings.filter(({ date }, index) => index < first || date !== undefined);
}

/** From each heading to the next; what stands before the first is a span too, and the only one where there is none. */
function spansOf(headings: readonly Heading[], from: number, content: string): Span[] {
  const first = headings[0]?.start ?? content.length;
  const spans: Span[] = [{ heading: undefined, above: [], start: from, body: from, end: first }];
  const open: Heading[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const above = open.map(({ title }) => title).filter((title) => title !== "");
    open.push(heading);
    const end = headings[index + 1]?.start ?? content.length;
    spans.push({ heading, above, start: heading.start, body: heading.body, end });
  }
  return spans;
}

/** A heading with nothing below it but deeper headings is in their breadcrumbs, and needs no unit. */
function isKept(span: Span, next: Span | undefined, content: string): boolean {
  if (firstMark(content, span.body, span.end) < span.end) return true;
  if (span.heading === undefined) return false;
  return !(next?.heading && next.heading.level > span.heading.level);
}

function describe(
  { heading, above }: Span,
  front: FrontMatter,
  root: string,
): Pick<Unit, "title" | "breadcrumb" | "tags" | "date"> {
  const title = heading?.title || root;
  const breadcrumb = above[0] === root || title === root ? above : [root, ...above];
  return { title, breadcrumb, tags: front.tags, date: heading?.date ?? front.date };
}

/** A first heading above all others is the document's title. */
function titleOf(headings: readonly Heading[]): string | undefined {
  const [first, ...others] = headings;
  if (!first || first.date !== undefined || others.some(({ level }) => level <= first.level)) return undefined;
  return first.title || undefined;
}

/** `guides/auth-tokens.md` → `auth-tokens` */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/\.(?:md|markdown|txt)$/i, "") || name;
}
