import type { IndexSnapshot } from "./index-snapshot.ts";
import { createNearWordFinder, errorsAllowed, type NearWord } from "./near-words.ts";
import { isCorrectable } from "./word-table.ts";

/** A term of the index that another one may have been meant for. */
interface Correction extends NearWord {
  /** How many units hold it. */
  readonly units: number;
}

const mostCorrections = 3;
/** Of so many the units are counted. */
const mostCandidates = 64;
/** So many corrections are kept until the index changes. */
const mostKnown = 1000;

/** For a term that no unit holds: the nearest terms, the more frequent of equally near ones first. */
export type CorrectTerm = (term: string, snapshots: readonly IndexSnapshot[]) => readonly Correction[];

export function createTermCorrector(): CorrectTerm {
  const findNear = createNearWordFinder();
  let known = new Map<string, readonly Correction[]>();
  let knownFor: readonly { readonly snapshot: IndexSnapshot; readonly version: number }[] = [];

  function correct(term: string, snapshots: readonly IndexSnapshot[]): readonly Correction[] {
    const errors = errorsAllowed(term);
    if (errors === 0 || !isCorrectable(term)) return [];
    const segments = snapshots.flatMap((snapshot) => snapshot.segments);
    const near = segments.flatMap((segment) => findNear(term, segment.words(), errors));
    const distances = new Map(near.map((word) => [word.term, word.distance]));
    const found: Correction[] = [];
    for (let distance = 1; distance <= errors && found.length < mostCorrections; distance++) {
      const terms = [...distances.keys()].filter((candidate) => distances.get(candidate) === distance);
      const counted = likeliest(terms, term).map((candidate) => ({
        term: candidate,
        distance,
        units: snapshots.reduce((sum, snapshot) => sum + snapshot.entry(candidate).units, 0),
      }));
      const living = counted.filter((candidate) => candidate.units > 0);
      living.sort((left, right) => right.units - left.units || (left.term < right.term ? -1 : 1));
      found.push(...living);
    }
    return found.slice(0, mostCorrections);
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
    const corrections = known.get(term) ?? correct(term, snapshots);
    known.set(term, corrections);
    return corrections;
  };
}

/** The first letter is seldom wrong. */
function likeliest(candidates: readonly string[], term: string): readonly string[] {
  if (candidates.length <= mostCandidates) return candidates;
  const rank = (candidate: string) => (candidate[0] === term[0] ? 0 : 1);
  const ordered = [...candidates].sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
  return ordered.slice(0, mostCandidates);
}
