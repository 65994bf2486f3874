import { countVectors } from "./count-vectors.ts";
import { type FoundUnit, findUnits } from "./find-units.ts";
import { idf } from "./fuse.ts";
import { IndexFailure } from "./index/index-failure.ts";
import { createQueryEngine, type QueryEngine, type TermMatches } from "./index/query-engine.ts";
import type { SearchIndex } from "./index/search-index.ts";
import type { UnitFilter } from "./index/unit-filter.ts";
import { isUnavailable } from "./meaning/embedder.ts";
import type { Meaning, QueryMeaning } from "./meaning.ts";
import { planRecall, planSearch, type SearchPlan, withoutPhrases } from "./plan-search.ts";
import { type RankingWeights, topicOfArchive } from "./rank.ts";
import { type RankedUnit, rankFound } from "./rank-found.ts";
import { defaultItems, type RecallCandidate, type RecallLimits, recall } from "./recall.ts";
import type { RootIndex } from "./root-index.ts";
import { createSaid } from "./said.ts";
import type {
  Hit,
  IndexProgress,
  OnIndexProgress,
  Recalled,
  RecallRequest,
  Search,
  SearchContext,
  SearchPage,
  SearchRequest,
  Strength,
} from "./search.ts";
import { toSnippet } from "./snippet.ts";
import { createTermMarker } from "./text/mark-terms.ts";

/** Of a document that nothing else comes near to: as much as one usually has that answers. */
const leadOfAlone = 0.7;

export interface CreateSearchOptions {
  readonly roots: readonly RootIndex[];
  readonly meaning: Meaning;
  readonly weights: RankingWeights;
  /** Milliseconds since 1970, and the day that they are of where the user is. */
  readonly now: () => number;
  readonly toDate: (milliseconds: number) => string;
  /** How long a search waits for an index that is being built. */
  readonly patienceMs: number;
}

/** An index can be lost while it is read: it is built anew then, and read again. From this failure on, in memory. */
const lastingFailure = 4;
/** Enough for three pieces that differ, and more where most are copies of each other. */
const recallCandidates = [30, 100];
const noPhrase = "Nothing has the words in quotes side by side: this is what has them anywhere.";
const moreMatch = "Not all that may match was looked at: more may match than the total says.";

const begunAnew = new IndexFailure(
  "lost",
  "other processes begin it anew all the time; stop what does so, such as a script that calls recollect reindex",
);

export function createSearch(options: CreateSearchOptions): Search {
  const { roots, meaning } = options;
  const names = roots.map(({ source, kind }) => ({ root: source.root, kind }));
  let known: { readonly indexes: readonly SearchIndex[]; readonly engine: QueryEngine } | undefined;

  /** The same one as long as the indexes are: it remembers how words are spelled. */
  function engine(): QueryEngine {
    const indexes = roots.map((root) => root.index());
    if (!known || known.indexes.some((index, at) => index !== indexes[at])) {
      known = { indexes, engine: createQueryEngine(indexes, { idf }) };
    }
    return known.engine;
  }

  /** A note that another folder's note of the same name hides is found no more than it is read (MEM-5). */
  function withoutHidden(filter: UnitFilter): UnitFilter {
    const folders = names.flatMap(({ root, kind }, at) => (kind === "memory" && root !== "global" ? [at] : []));
    if (folders.length < 2) return filter;
    const indexes = roots.map((root) => root.index());
    const isHidden = (index: number, path: string) =>
      folders.includes(index) && folders.some((at) => at < index && indexes[at]?.stampOf(path) !== undefined);
    return { ...filter, accepts: (one) => (filter.accepts?.(one) ?? true) && !isHidden(one.index, one.path) };
  }

  async function freshen(onProgress: OnIndexProgress | undefined): Promise<string[]> {
    const states = await Promise.all(roots.map((root) => root.freshen(options.patienceMs, onProgress)));
    return states.flatMap((state) => (state ? [toBuilding(state)] : []));
  }

  /**
   * What `read` finds in indexes that are up to date. An index that is lost before it is read is built, and read, again;
   * where that goes on, one in memory takes its place, which no other process can begin anew. Each root may fail in its
   * turn, so the number of failures that are borne grows with the roots.
   */
  async function fresh<Found>(
    onProgress: OnIndexProgress | undefined,
    read: () => Found,
  ): Promise<{ readonly found: Found; readonly building: readonly string[] }> {
    const trouble = createTrouble(roots);
    for (;;) {
      const building = await freshen(onProgress);
      if (building.length === 0 && trouble.isMet()) continue;
      try {
        return { found: read(), building };
      } catch (error) {
        if (!(error instanceof IndexFailure) || !trouble.isBorne(error)) throw error;
      }
    }
  }

  async function meaningOf(words: string): Promise<{ vector: QueryMeaning | undefined } & Warned> {
    const found = words === "" ? undefined : await meaning.ofQuery(words);
    if (found === undefined) return { vector: undefined, warnings: [] };
    const warnings = meaning.warning === undefined ? [] : [meaning.warning];
    if (isUnavailable(found)) return { vector: undefined, warnings: [...warnings, found.reason] };
    return { vector: found, warnings };
  }

  async function rank(
    plan: SearchPlan,
    context: SearchContext,
    page: { readonly from: number; readonly count: number },
    onProgress: OnIndexProgress | undefined,
  ) {
    // Before the look at the documents: nothing that takes time may come between that and the answer.
    const { vector, warnings } = await meaningOf(plan.words);
    const { found, building } = await fresh(onProgress, () =>
      engine().reading((reader) => {
        const found = findUnits(reader, { ...plan, filter: withoutHidden(plan.filter) }, vector);
        const { phrases, excluded } = plan.query;
        const { weights, toDate } = options;
        const read = (units: readonly FoundUnit[]) => reader.shown(units.map(({ hit }) => hit));
        const ranking = { phrases, excluded, context, weights, toDate, now: options.now(), read };
        return { ...rankFound(found, page, ranking), terms: found.terms, says: found.warnings };
      }),
    );
    const partial = found.isPartial ? [moreMatch] : [];
    const asked = [...plan.warnings, ...found.says];
    const all = [...building, ...roots.flatMap((root) => root.warnings()), ...warnings, ...asked, ...partial];
    return { ...found, warnings: all };
  }

  async function search(request: SearchRequest, onProgress?: OnIndexProgress): Promise<SearchPage> {
    const plan = planSearch(request, names);
    const page = { from: plan.offset, count: plan.limit };
    const strict = await rank(plan, request.context ?? {}, page, onProgress);
    // A question may quote a title that nobody wrote just so: then its words have to do.
    const loose = strict.total === 0 ? withoutPhrases(plan) : undefined;
    const found = loose ? await rank(loose, request.context ?? {}, page, onProgress) : strict;
    const { units, total, terms } = found;
    const warnings = loose && total > 0 ? [noPhrase, ...found.warnings] : found.warnings;
    const markIn = createTermMarker(terms.map(({ term }) => term));
    const strengthOf = request.strength ? measureStrength(plan, terms, units) : undefined;
    const hits = units.map((unit): Hit => {
      const snippet = toSnippet(unit.shown.text, markIn(unit.shown.text));
      const place = placeOf(unit);
      return {
        ...place,
        score: unit.score,
        snippet,
        ...(request.explain ? { explanation: explain(unit) } : {}),
        ...(strengthOf ? { strength: strengthOf(unit) } : {}),
      };
    });
    return { hits, total, warnings };
  }

  function measureStrength({ words }: SearchPlan, terms: TermMatches["terms"], units: readonly RankedUnit[]) {
    const all = roots.reduce((sum, root) => sum + root.index().counts().units, 0);
    // What no section has tells most.
    const weighed = terms.map(({ word, units: having }) => ({ word, idf: idf(Math.max(having, 0.5), all) }));
    const closeTo = meaning.closeness?.(words, weighed);
    const saidOf = createSaid(terms, all);
    return (unit: RankedUnit): Strength => {
      const other = units.find(({ hit }) => hit.path !== unit.hit.path || hit.index !== unit.hit.index);
      return {
        said: saidOf(unit),
        close: closeTo?.({ ...placeOf(unit), text: unit.shown.text }),
        lead: other ? Math.max(0, unit.score - other.score) : leadOfAlone,
      };
    };
  }

  function placeOf({ hit, shown, date }: RankedUnit) {
    const { title, lines } = shown;
    const { kind, path, flagged } = hit;
    const root = names[hit.index]?.root ?? "";
    // The file of an archive is called by its year, which says nothing of what is in it.
    const topic = kind === "topic" ? topicOfArchive(path) : undefined;
    const breadcrumb = topic === undefined ? shown.breadcrumb : [topic, ...shown.breadcrumb];
    return { root, kind, path, title, breadcrumb, date, lines, flagged };
  }

  async function recallPieces(request: RecallRequest, onProgress?: OnIndexProgress): Promise<Recalled> {
    const { task, files, maxItems = defaultItems, nameOf } = request;
    const query = request.query.trim() === "" && task !== undefined ? task : request.query;
    const context = { ...(task === undefined ? {} : { task }), ...(files === undefined ? {} : { files }) };
    const plan = planRecall(query, names);
    for (const count of recallCandidates) {
      const { units, warnings, terms } = await rank(plan, context, { from: 0, count }, onProgress);
      const words = terms.map(({ term }) => term);
      const limits = limitsOf({ ...request, maxItems }, warnings);
      const recalled = await recall(toCandidates(units, words, nameOf), limits);
      const isAll = units.length < count || count === recallCandidates.at(-1);
      if (isAll || recalled.items.length >= maxItems) return { ...recalled, warnings };
    }
    throw new RangeError("There is no number of candidates to recall from.");
  }

  /** One after the other as they are asked for: to mark a long text takes longer than to find it. */
  function* toCandidates(
    units: readonly RankedUnit[],
    terms: readonly string[],
    nameOf: RecallRequest["nameOf"],
  ): Generator<RecallCandidate> {
    const markIn = createTermMarker(terms);
    for (const unit of units) {
      const { text } = unit.shown;
      const at = placeOf(unit);
      yield { ...at, ...(nameOf ? { called: nameOf(at) } : {}), text, matches: markIn(text), score: unit.score };
    }
  }

  function counts(): { documents: number; units: number } & Warned {
    const all = roots.map((root) => root.index().counts());
    const sum = (of: "documents" | "units") => all.reduce((sum, count) => sum + count[of], 0);
    const warnings = roots.flatMap((root) => root.warnings());
    return { documents: sum("documents"), units: sum("units"), warnings };
  }

  return {
    search,
    recall: recallPieces,
    reindex: async (onProgress) => {
      for (const root of roots) await root.rebuild(onProgress);
      return (await fresh(onProgress, counts)).found;
    },
    status: async (onProgress) => {
      const { found } = await fresh(onProgress, () => ({
        ...counts(),
        withMeaning: roots.reduce((sum, root) => sum + countVectors(root.index()), 0),
      }));
      return { ...found, meaning: meaning.name };
    },
    updated: async (changed) => {
      for (const root of roots) {
        const paths = changed.filter((at) => at.root === root.source.root).map(({ path }) => path);
        if (paths.length > 0) root.written(paths);
      }
    },
  };
}

/** Counts what one search meets, and tells the roots of it. */
function createTrouble(roots: readonly RootIndex[]) {
  const mostFailures = lastingFailure + roots.length;
  let failures = 0;

  /** False where there were too many: an index in memory does not get lost. */
  function fail(failure: IndexFailure, failing: readonly RootIndex[]): boolean {
    if (failures >= mostFailures) return false;
    failures += 1;
    for (const root of failing) root.failed(failure, failures >= lastingFailure);
    return true;
  }

  return {
    isBorne: (failure: IndexFailure) => fail(failure, roots),
    /** True where an index that was just brought up to date is so no more: another search met a failure of it. */
    isMet: () => {
      const incomplete = roots.filter((root) => !root.isComplete());
      return incomplete.length > 0 && fail(begunAnew, incomplete);
    },
  };
}

interface Warned {
  readonly warnings: readonly string[];
}

function limitsOf({ maxTokens, maxItems, sentAs }: RecallRequest, warnings: readonly string[]): RecallLimits {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(sentAs === undefined ? {} : { sentAs: (text) => sentAs(text, warnings) }),
  };
}

function explain({ hit, parts }: RankedUnit) {
  return { ...parts, terms: (hit.terms ?? []).map(({ term, word, score }) => ({ term, for: word, score })) };
}

function toBuilding({ root, done, total }: IndexProgress): string {
  const far = total > 0 ? ` (${done} of ${total} documents)` : "";
  return `The search index of “${root}” is still being built${far}: more may be found in a moment.`;
}
