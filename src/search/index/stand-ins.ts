import { isStopWord } from "../text/stop-words.ts";
import { isCommonTerm } from "./common-words.ts";
import { compoundsWith, partsOf } from "./compound-words.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";
import { createNearWordFinder, errorsAllowed } from "./near-words.ts";
import { isCorrectable, type WordGroup } from "./word-table.ts";

/** A term of the index that another one may have been meant for. */
interface StandIn {
  readonly term: string;
  /** How many units hold it. */
  readonly units: number;
  /** How much it says beside the term itself, up to 1. */
  readonly likeness: number;
}

const mostCorrections = 3;
/** Each of them holds what was asked for. */
const mostCompounds = 8;
/** Of so many the units are counted. */
const mostCandidates = 64;
/** So many stand-ins are kept until the index changes. */
const mostKnown = 1000;

/** By how many typing errors lie between. */
const nearLikeness = [1, 0.6, 0.35];
const compoundLikeness = 0.7;
const partLikeness = 0.4;

/**
 * For a term that no unit holds: compounds with it; else, unless everybody knows the word, what it may be a typing error
 * of, and what it is made of.
 */
export type FindStandIns = (term: string, snapshots: readonly IndexSnapshot[]) => readonly StandIn[];

export function createStandInFinder(): FindStandIns {
  const findNear = createNearWordFinder();
  let known = new Map<string, readonly StandIn[]>();
  let knownFor: readonly { readonly snapshot: IndexSnapshot; readonly version: number }[] = [];

  function find(term: string, snapshots: readonly IndexSnapshot[]): readonly StandIn[] {
    if (!isCorrectable(term)) return [];
    const groups = snapshots.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.words()));
    const living = (terms: readonly string[], likeness: number) =>
      likeliest([...new Set(terms)], term).flatMap((candidate): StandIn[] => {
        const units = snapshots.reduce((sum, snapshot) => sum + snapshot.entry(candidate).units, 0);
        return units > 0 ? [{ term: candidate, units, likeness }] : [];
      });
    const compounds = living(compoundsWith(term, groups), compoundLikeness);
    if (compounds.length > 0) return best(compounds, mostCompounds);
    // Everybody knows what it means and how it is spelled.
    if (isCommonTerm(term) || isStopWord(term)) return [];
    const near = nearTo(term, groups).flatMap((terms, distance) => living(terms, nearLikeness[distance] ?? 0));
    const isNear = new Set(near.map((one) => one.term));
    const parts = living(partsOf(term, groups), partLikeness).filter((part) => !isNear.has(part.term));
    return best([...near, ...parts], mostCorrections);
  }

  /** By their distance. */
  function nearTo(term: string, groups: readonly WordGroup[]): readonly string[][] {
    const errors = errorsAllowed(term);
    const near = errors === 0 ? [] : findNear(term, groups, errors);
    return nearLikeness.map((_, at) => near.filter(({ distance }) => distance === at).map((word) => word.term));
  }

  function isKnownFor(snapshots: readonly IndexSnapshot[]): boolean {
    return (
      knownFor.length === snapshots.length &&
      knownFor.every(({ snapshot, version }, index) => snapshot === snapshots[index] && version === snapshot.version)
    );
  }

  return (term, snapshots) => {
    if (!isKnownFor(snapshots) || known.size > mostKnown) {
      known = new Map();
      knownFor = snapshots.map((snapshot) => ({ snapshot, version: snapshot.version }));
    }
    const standIns = known.get(term) ?? find(term, snapshots);
    known.set(term, standIns);
    return standIns;
  };
}

/** Those that say most, the more frequent ones first. */
function best(found: readonly StandIn[], most: number): readonly StandIn[] {
  return [...found]
    .sort(
      (left, right) => right.likeness - left.likeness || right.units - left.units || (left.term < right.term ? -1 : 1),
    )
    .slice(0, most);
}

/** The first letter is seldom wrong. */
function likeliest(candidates: readonly string[], term: string): readonly string[] {
  if (candidates.length <= mostCandidates) return candidates;
  const rank = (candidate: string) => (candidate[0] === term[0] ? 0 : 1);
  const ordered = [...candidates].sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
  return ordered.slice(0, mostCandidates);
}
