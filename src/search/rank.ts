import type { SearchContext } from "./search.ts";

/** How much each part can add to a score, beside text and meaning, which are 1 together. */
export interface RankingWeights {
  readonly recency: number;
  /** After so many days, recency counts half. */
  readonly recencyHalfLifeDays: number;
  readonly context: number;
}

/** What the ranking knows of a unit, besides how it matches. */
export interface RankedUnit {
  readonly path: string;
  /** Read only where a context asks for it. */
  readonly text: () => string;
}

/** Nobody works on more at a time. */
const mostFiles = 200;
/** Far more than sums of a few parts can be off. */
const rounding = 1e-9;
const dayMs = 24 * 60 * 60 * 1000;

/** 1 for today, half of it after each half-life; what claims to come from the future is of today. */
export function recencyOf(date: string, now: number, halfLifeDays: number): number {
  const days = (now - Date.parse(date)) / dayMs;
  return Number.isFinite(days) ? 2 ** -(Math.max(0, days) / halfLifeDays) : 0;
}

/** The share of what is being worked on that a unit has to do with: its topic, its task, its files. */
export function contextOf(ranked: RankedUnit, { topic, task, files = [] }: SearchContext): number {
  const parts: boolean[] = [];
  let text: string | undefined;
  const toText = () => {
    text ??= ranked.text().toLowerCase();
    return text;
  };
  const unit = { path: ranked.path, text: toText };
  if (topic !== undefined) parts.push(isOfTopic(unit.path, topic));
  if (task !== undefined) {
    const references = referencesIn(task);
    if (references.length > 0) parts.push(references.some((reference) => mentions(unit, reference)));
  }
  if (files.length > 0) {
    const worked = files.slice(0, mostFiles);
    parts.push(worked.some((file) => mentions(unit, file) || mentions(unit, nameOf(file))));
  }
  return parts.length === 0 ? 0 : parts.filter(Boolean).length / parts.length;
}

/** Whether a document belongs to a topic: its folder, its part of the archive, or the subject that is named with it. */
export function isOfTopic(path: string, topic: string): boolean {
  const place = path.startsWith(archive) ? path.slice(archive.length) : path;
  return place.startsWith(`${topic}/`) || (topic.includes("/") && path === `${topic}.md`);
}

const archive = "archive/";

/** The topic whose archive a document is part of. */
export function topicOfArchive(path: string): string | undefined {
  return path.startsWith(archive) ? path.split("/")[1] : undefined;
}

/** Such as PRB-142: letters, a dash, a number. */
const reference = /\b[A-Z][A-Z0-9]+-\d+\b/g;

function referencesIn(task: string): string[] {
  return task.slice(0, 10_000).match(reference) ?? [];
}

/** The text is in lower case already: it is long, and looked through for each file. */
function mentions({ path, text }: Pick<RankedUnit, "path" | "text">, what: string): boolean {
  if (what === "") return false;
  const wanted = what.toLowerCase();
  return isWordIn(path.toLowerCase(), wanted) || isWordIn(text(), wanted);
}

/** PRB-14 is not in PRB-142, and `index.ts` not in `reindex.ts`. */
function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function nameOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

export interface Ranking {
  readonly weights: RankingWeights;
  readonly context: SearchContext;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a unit gets beside its text and meaning, weighted. */
export interface RankParts {
  /** Many units are of one day, which is reckoned once. */
  recency(date: string): number;
  /** More than this nobody gets. */
  readonly most: number;
  /** Undefined where there is no context. */
  readonly context: ((unit: RankedUnit) => number) | undefined;
}

export function createRanking({ weights, context, now }: Ranking): RankParts {
  const recencies = new Map<string, number>();
  const { topic, task, files = [] } = context;
  const hasContext = topic !== undefined || task !== undefined || files.length > 0;
  return {
    most: weights.recency + (hasContext ? weights.context : 0) + rounding,
    recency(date) {
      const known = recencies.get(date);
      if (known !== undefined) return known;
      const found = weights.recency * recencyOf(date, now, weights.recencyHalfLifeDays);
      recencies.set(date, found);
      return found;
    },
    context: hasContext ? (unit) => weights.context * contextOf(unit, context) : undefined,
  };
}
