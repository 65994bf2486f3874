import { RecollectError } from "../kernel/errors.ts";
import { matchesGlob } from "../kernel/glob.ts";
import { parseRecordName } from "../kernel/record-name.ts";
import type { UnitFilter } from "./index/unit-filter.ts";
import { firstDay, lastDay, type ParsedQuery, parseQuery } from "./query.ts";
import { isOfTopic } from "./rank.ts";
import { defaultLimit, type SearchRequest } from "./search.ts";
import type { DocumentKind } from "./unit.ts";

/** A request that was understood. */
export interface SearchPlan {
  readonly query: ParsedQuery;
  /** The words alone, for their meaning. */
  readonly words: string;
  readonly filter: UnitFilter;
  readonly limit: number;
  readonly offset: number;
  /** Whether each hit is to say what each term gave. */
  readonly explains: boolean;
  /** What the filter is made of, to say which of it leaves nothing. */
  readonly narrowings: readonly Narrowing[];
  /** What of the query was not taken as it was probably meant. */
  readonly warnings: readonly string[];
}

interface Narrowing {
  readonly filter: UnitFilter;
  /** What is said where nothing passes it. */
  readonly says: string;
}

const mostHits = 100;
/** Nobody turns that many pages; a better question finds it. */
const lastHit = 1000;

interface SearchedRootName {
  readonly root: string;
  readonly kind: DocumentKind;
}

/** A task or a prompt is no query: its quotes, dashes and colons mean nothing. What the guard flags is left out. */
export function planRecall(text: string, roots: readonly SearchedRootName[]): SearchPlan {
  const plan = planSearch({ query: withoutSyntax(textOf(text)) }, roots);
  return { ...plan, filter: { accepts: ({ flagged }) => !flagged } };
}

function withoutSyntax(text: string): string {
  return text.replaceAll(/[":]|(?<=^|\s)[-+]+/g, " ");
}

/** What the parameters say goes before what the query says. */
export function planSearch(request: SearchRequest, roots: readonly SearchedRootName[]): SearchPlan {
  const query = parseKnown(textOf(request.query), roots);
  const { path, root, ...named } = { ...query.filters, ...given(request) };
  const topic = named.topic === undefined ? undefined : topicNamed(named.topic, roots);
  const since = dayOf("since", request.since, firstDay) ?? query.filters.since;
  const until = dayOf("until", request.until, lastDay) ?? query.filters.until;
  const hasFilter = [topic, path, root, since, until].some((value) => value !== undefined);
  if (query.terms.length === 0 && !hasFilter) {
    throw new RecollectError("INVALID_ARGUMENT", "There is nothing to search for. Give at least one word.");
  }
  const places = new Map(roots.map((one, index) => [index, one]));
  if (root !== undefined && !roots.some((one) => one.root === root)) {
    const known = roots.map((one) => `“${one.root}”`).join(", ");
    throw new RecollectError("NOT_FOUND", `There is no root “${root}”. There are: ${known}.`, { data: { root } });
  }
  const isAsked = (index: number) => root === undefined || places.get(index)?.root === root;
  const narrows = topic !== undefined || path !== undefined || root !== undefined;
  return {
    query,
    words: wordsOf(request.query),
    filter: {
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(narrows
        ? {
            accepts: (document) =>
              isAsked(document.index) &&
              (topic === undefined || isOfTopic(document.path, topic)) &&
              (path === undefined || matchesPath(path, document.path)),
          }
        : {}),
    },
    narrowings: narrowingsOf({ topic, path, since, until }),
    warnings: warningsOf(textOf(request.query), query),
    limit: whole("limit", request.limit, { least: 1, most: mostHits }) ?? defaultLimit,
    explains: request.explain ?? false,
    offset: whole("offset", request.offset, { least: 0, most: lastHit }) ?? 0,
  };
}

/** A topic as any surface prints it: `ci`, `ci/cache`, `memory/ci/cache.md`, `ci/cache › Stale cache`. */
function topicNamed(given: string, roots: readonly SearchedRootName[]): string {
  const plain = parseRecordName(given).name.replace(/^mem:/, "").replace(/\.md$/, "");
  const root = roots.find((one) => plain.startsWith(`${one.root}/`));
  return root === undefined ? plain : plain.slice(root.root.length + 1);
}

/**
 * The same question, where the words of its phrases may stand apart; undefined where it has none, or nothing else: who
 * asks for a phrase alone wants just that.
 */
export function withoutPhrases(plan: SearchPlan): SearchPlan | undefined {
  if (plan.query.phrases.length === 0 || plan.query.isQuoted) return undefined;
  return { ...plan, query: { ...plan.query, phrases: [] } };
}

/** `root:root` may be an owner in a command: only a root that there is narrows a search. */
function parseKnown(text: string, roots: readonly SearchedRootName[]): ParsedQuery {
  const query = parseQuery(text);
  const { root } = query.filters;
  if (root === undefined || roots.some((one) => one.root === root)) return query;
  return parseQuery(text.replaceAll(/(?<=^|\s)root:/gi, "root "));
}

function narrowingsOf({
  topic,
  path,
  since,
  until,
}: Record<"topic" | "path" | "since" | "until", string | undefined>): Narrowing[] {
  const narrowings: Narrowing[] = [];
  if (topic !== undefined) {
    const accepts: UnitFilter["accepts"] = (document) => isOfTopic(document.path, topic);
    narrowings.push({ filter: { accepts }, says: `There is nothing in a topic “${shown(topic)}”.` });
  }
  if (path !== undefined) {
    const accepts: UnitFilter["accepts"] = (document) => matchesPath(path, document.path);
    narrowings.push({ filter: { accepts }, says: `There is nothing with a path that fits “${shown(path)}”.` });
  }
  if (since !== undefined || until !== undefined) {
    const filter = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    const days = [since && `from ${since} on`, until && `up to ${until}`].filter(Boolean).join(" and ");
    narrowings.push({ filter, says: `There is nothing of the days ${days}.` });
  }
  return narrowings;
}

function warningsOf(text: string, { noDates, filters }: ParsedQuery): string[] {
  const asked = filters.root === undefined ? text.match(/(?<=^|\s)root:(?=\S)\S*/i)?.[0] : undefined;
  return [
    ...noDates.map((one) => `“${shown(one)}” was taken for words: a date is written 2026-11-15, 2026-11 or 2026.`),
    ...(asked === undefined ? [] : [`“${shown(asked)}” was taken for words: there is no such root.`]),
  ];
}

/** As much of it as makes clear what is meant. */
function shown(asked: string): string {
  const characters = [...asked];
  return characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : asked;
}

function given({ topic, path, root }: SearchRequest): Partial<Record<"topic" | "path" | "root", string>> {
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(path === undefined ? {} : { path }),
    ...(root === undefined ? {} : { root }),
  };
}

/** A name without a star means that document, or all that is below that folder. */
function matchesPath(pattern: string, path: string): boolean {
  const trimmed = pattern.replace(/\/+$/, "");
  if (matchesGlob(trimmed, path)) return true;
  return !/[*?]/.test(trimmed) && (path.startsWith(`${trimmed}/`) || path === `${trimmed}.md`);
}

function textOf(query: unknown): string {
  if (typeof query === "string" && query.isWellFormed()) return query;
  throw new RecollectError(
    "INVALID_ARGUMENT",
    "The query is not well-formed text. Send it again without broken characters.",
  );
}

/** Filters are no words, and neither is what must not be there. */
function wordsOf(query: string): string {
  if (!/[:"-]/.test(query)) return query.slice(0, 8000).trim();
  return query
    .slice(0, 8000)
    .replaceAll(/(?:^|\s)(?:topic|since|until|path|root):(?:"[^"]*"?|\S+)/gi, " ")
    .replaceAll(/(?:^|\s)-\S+/g, " ")
    .replaceAll('"', " ")
    .trim();
}

function dayOf(name: string, value: string | undefined, read: (value: string) => string | undefined) {
  if (value === undefined) return undefined;
  const day = read(value.trim());
  if (day !== undefined) return day;
  throw new RecollectError("INVALID_ARGUMENT", `“${name}” is a date such as 2026-11-15, 2026-11 or 2026.`, {
    data: { parameter: name },
  });
}

function whole(name: string, value: number | undefined, { least, most }: { least: number; most: number }) {
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RecollectError("INVALID_ARGUMENT", `“${name}” is a whole number from ${least} to ${most}.`, {
    data: { parameter: name },
  });
}
