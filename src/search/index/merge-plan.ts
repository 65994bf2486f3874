import type { SegmentRow } from "./segment-rows.ts";

/** So many segments of about one size become one. */
const fanIn = 8;
/** Larger ones are left alone: merging is done at once in memory, and a query searches a few as fast as one. */
const fullUnits = 32_768;

/** A run of neighbours, oldest first, that should become one segment. */
export interface MergePlan {
  readonly from: number;
  readonly until: number;
}

export interface MergePolicy {
  readonly fanIn: number;
  /** The most that the largest of a run may be of it: what is merged once more should be worth it. */
  readonly largestShare: number;
  /** The share of dead units from which a segment is written anew. */
  readonly deadShare: number;
}

export const lazyPolicy: MergePolicy = { fanIn, largestShare: 1 / 2, deadShare: 0.3 };
/** While nobody writes: each segment less is looked into once less for each word of a query. */
export const idlePolicy: MergePolicy = { fanIn: 2, largestShare: 8 / 9, deadShare: 0.3 };
/** As few segments as can be, and nothing dead. */
export const thoroughPolicy: MergePolicy = { fanIn: 2, largestShare: 1, deadShare: 0 };

/** Undefined where all is well. Small merges come first. Only neighbours are merged, so that ages stay ranges. */
export function planMerge(segments: readonly SegmentRow[], policy: MergePolicy): MergePlan | undefined {
  const tiers = segments.map(tierOf);
  for (let tier = 0; tier < tierOfUnits(fullUnits); tier++) {
    const found = findRun(segments, tiers, tier, policy);
    if (found) return found;
  }
  const decayed = segments.findIndex(({ units, documents, deadUnits, deadDocuments }) =>
    units > 0 ? deadUnits > units * policy.deadShare : deadDocuments > documents * policy.deadShare,
  );
  return decayed < 0 ? undefined : { from: decayed, until: decayed + 1 };
}

/** The first run of segments up to the tier that is long enough, unless one of them is most of it. */
function findRun(
  segments: readonly SegmentRow[],
  tiers: readonly number[],
  tier: number,
  policy: MergePolicy,
): MergePlan | undefined {
  let from = 0;
  for (let index = 0; index <= segments.length; index++) {
    if (index < segments.length && (tiers[index] as number) <= tier) continue;
    if (index - from >= policy.fanIn && isWorthIt(segments.slice(from, index), policy)) {
      return { from, until: cutRun(segments, from, index) };
    }
    from = index + 1;
  }
  return undefined;
}

/** At least two, and no more than make a full segment. */
function cutRun(segments: readonly SegmentRow[], from: number, end: number): number {
  let units = 0;
  let until = from;
  while (until < end && (units < fullUnits || until - from < 2)) units += livingUnits(segments[until++] as SegmentRow);
  return until;
}

function isWorthIt(run: readonly SegmentRow[], { largestShare }: MergePolicy): boolean {
  const sizes = run.map(livingUnits);
  return Math.max(...sizes) <= largestShare * (sizes.reduce((sum, size) => sum + size, 0) + fanIn);
}

export function livingUnits(segment: SegmentRow): number {
  return segment.units - segment.deadUnits;
}

function tierOf(segment: SegmentRow): number {
  return tierOfUnits(livingUnits(segment));
}

function tierOfUnits(units: number): number {
  let tier = 0;
  for (let size = fanIn; size <= units; size *= fanIn) tier++;
  return tier;
}
