/** Which lines of two texts are the same one: for each line of the first that of the second, or -1. */
export type Alignment = Int32Array;

/** Past these a diff stays right and becomes coarser: a clone may bring anything, and must not hold up a sync. */
const maxEdits = 600;
const maxSteps = 8_000_000;

interface Sides {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

interface Part {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/**
 * Lines that both texts have exactly once hold the two together (patience diff): headings do, blank lines and
 * separators do not. What lies between is compared by Myers' greedy algorithm. Linear in what is given, but for sorting.
 */
export function alignLines(before: readonly string[], after: readonly string[]): Alignment {
  const { a, b, count } = toNumbers(before, after);
  const matched = new Int32Array(a.length).fill(-1);
  const rarity = createRarity(count);
  const budget = { steps: maxSteps };
  const whole = { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length };
  for (const part of partsBetween(rarity.findAnchors({ a, b }, whole), whole, matched)) {
    const rest = trim(part, { a, b }, matched);
    if (rest.aFrom === rest.aTo || rest.bFrom === rest.bTo) continue;
    alignGreedily({ a, b }, rarity.findShared({ a, b }, rest), matched, budget);
  }
  return matched;
}

/** The same number for the same line. */
function toNumbers(before: readonly string[], after: readonly string[]): Sides & { readonly count: number } {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  const toArray = (lines: readonly string[]) => {
    const array = new Int32Array(lines.length);
    for (let at = 0; at < lines.length; at += 1) array[at] = numberOf(lines[at] as string);
    return array;
  };
  return { a: toArray(before), b: toArray(after), count: numbers.size };
}

/** Matches what the two have in common at their beginnings and ends. */
function trim(part: Part, { a, b }: Sides, matched: Alignment): Part {
  let { aFrom, aTo, bFrom, bTo } = part;
  for (; aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]; aFrom += 1, bFrom += 1) matched[aFrom] = bFrom;
  for (; aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]; aTo -= 1, bTo -= 1) matched[aTo - 1] = bTo - 1;
  return { aFrom, aTo, bFrom, bTo };
}

interface Anchor {
  readonly a: number;
  readonly b: number;
}

/** Matches the anchors; what is left lies between them. */
function partsBetween(anchors: readonly Anchor[], whole: Part, matched: Alignment): Part[] {
  const parts: Part[] = [];
  let [aFrom, bFrom] = [whole.aFrom, whole.bFrom];
  for (const anchor of anchors) {
    matched[anchor.a] = anchor.b;
    parts.push({ aFrom, aTo: anchor.a, bFrom, bTo: anchor.b });
    [aFrom, bFrom] = [anchor.a + 1, anchor.b + 1];
  }
  return [...parts, { aFrom, aTo: whole.aTo, bFrom, bTo: whole.bTo }];
}

/** Looks at how often a part has its lines, on either side. */
function createRarity(count: number) {
  const [inA, inB, placeInB] = [new Uint8Array(count), new Uint8Array(count), new Int32Array(count)];

  function tally(counts: Uint8Array, lines: Int32Array, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const line = lines[at] as number;
      if ((counts[line] as number) < 2) counts[line] = (counts[line] as number) + 1;
    }
  }

  function forget({ a, b }: Sides, { aFrom, aTo, bFrom, bTo }: Part): void {
    for (let at = aFrom; at < aTo; at += 1) inA[a[at] as number] = 0;
    for (let at = bFrom; at < bTo; at += 1) inB[b[at] as number] = 0;
  }

  /** The lines that a part has once on both sides, as far as they have the same order there. */
  function findAnchors(sides: Sides, part: Part): Anchor[] {
    const { a, b } = sides;
    tally(inA, a, part.aFrom, part.aTo);
    tally(inB, b, part.bFrom, part.bTo);
    for (let at = part.bFrom; at < part.bTo; at += 1) placeInB[b[at] as number] = at;
    const pairs: Anchor[] = [];
    for (let at = part.aFrom; at < part.aTo; at += 1) {
      const line = a[at] as number;
      if (inA[line] === 1 && inB[line] === 1) pairs.push({ a: at, b: placeInB[line] as number });
    }
    forget(sides, part);
    return longestRising(pairs);
  }

  /** The places of the lines that a part has on both sides, however often. */
  function findShared(sides: Sides, part: Part): { readonly a: Int32Array; readonly b: Int32Array } {
    const { a, b } = sides;
    tally(inA, a, part.aFrom, part.aTo);
    tally(inB, b, part.bFrom, part.bTo);
    const [inPartA, inPartB] = [new Int32Array(part.aTo - part.aFrom), new Int32Array(part.bTo - part.bFrom)];
    let [countA, countB] = [0, 0];
    for (let at = part.aFrom; at < part.aTo; at += 1) if (inB[a[at] as number]) inPartA[countA++] = at;
    for (let at = part.bFrom; at < part.bTo; at += 1) if (inA[b[at] as number]) inPartB[countB++] = at;
    forget(sides, part);
    return { a: inPartA.subarray(0, countA), b: inPartB.subarray(0, countB) };
  }

  return { findAnchors, findShared };
}

/** The longest run of pairs that rises on the second side too (they come sorted by the first). */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  const lowest: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  const placeOf = (index: number | undefined) => pairs[index ?? -1]?.b ?? -1;
  for (const [index, { b }] of pairs.entries()) {
    let [low, high] = [0, lowest.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOf(lowest[middle]) < b) low = middle + 1;
      else high = middle;
    }
    previous[index] = lowest[low - 1] ?? -1;
    lowest[low] = index;
  }
  const run: Anchor[] = [];
  for (let at = lowest.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) run.push(pairs[at] as Anchor);
  return run.reverse();
}

/**
 * Myers' algorithm, on the lines that both sides have, in stretches: where one has more than so many edits, its farthest
 * way is taken and the next begins behind it. Once the budget is used up, what is left counts as replaced.
 */
function alignGreedily(sides: Sides, places: Sides, matched: Alignment, budget: { steps: number }): void {
  const shared = { a: places.a.map((at) => sides.a[at] as number), b: places.b.map((at) => sides.b[at] as number) };
  let [a, b] = [0, 0];
  while (a < shared.a.length && b < shared.b.length && budget.steps > 0) {
    const way = findWay(shared.a.subarray(a), shared.b.subarray(b), budget);
    for (const run of way.runs) {
      for (let n = 0; n < run.length; n += 1) {
        matched[places.a[a + run.a + n] as number] = places.b[b + run.b + n] as number;
      }
    }
    if (way.end.a === 0 && way.end.b === 0) return;
    [a, b] = [a + way.end.a, b + way.end.b];
  }
}

/** Common lines one after the other, and where they came to. */
interface Way {
  readonly runs: readonly (Anchor & { readonly length: number })[];
  readonly end: Anchor;
}

/** The shortest way through two sequences, or the beginning of a good one. */
function findWay(a: Int32Array, b: Int32Array, budget: { steps: number }): Way {
  const [n, m] = [a.length, b.length];
  const most = Math.min(n + m, maxEdits);
  const middle = most + 1;
  // How far each diagonal (x - y) came with so many edits; copies of it lead the way back.
  const farthest = new Int32Array(2 * most + 3).fill(-1);
  farthest[middle + 1] = 0;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    for (let k = -edits; k <= edits; k += 2) {
      const [left, right] = [farthest[middle + k - 1] as number, farthest[middle + k + 1] as number];
      let x = k === -edits || (k !== edits && left < right) ? right : left + 1;
      const start = x;
      while (x < n && x - k < m && a[x] === b[x - k]) x += 1;
      farthest[middle + k] = x;
      budget.steps -= 1 + x - start;
      if (x >= n && x - k >= m) return goBack({ x, k }, trace);
    }
    trace.push(farthest.slice(middle - edits - 1, middle + edits + 2));
    if (budget.steps <= 0) break;
  }
  return goBack(farthestOf(trace, n, m), trace.slice(0, -1));
}

interface Point {
  readonly x: number;
  /** The diagonal, x - y. */
  readonly k: number;
}

/** The point of the last ring that is farthest from the beginning, and inside. */
function farthestOf(trace: readonly Int32Array[], n: number, m: number): Point {
  const edits = trace.length - 1;
  const ring = trace.at(-1) as Int32Array;
  let best: Point = { x: 0, k: 0 };
  for (let k = -edits; k <= edits; k += 2) {
    const x = ring[k + edits + 1] as number;
    if (x <= n && x - k <= m && 2 * x - k > 2 * best.x - best.k) best = { x, k };
  }
  return best;
}

/** From a point ring by ring to the beginning. A ring of so many edits holds the diagonals up to them, and one more. */
function goBack(from: Point, rings: readonly Int32Array[]): Way {
  const runs: (Anchor & { length: number })[] = [];
  let { x, k } = from;
  for (let edits = rings.length; edits >= 0; edits -= 1) {
    const ring = rings[edits - 1];
    const [left, right] = ring ? [ring[k - 1 + edits] ?? -1, ring[k + 1 + edits] ?? -1] : [-1, 0];
    const isDown = k === -edits || (k !== edits && left < right);
    const start = isDown ? right : left + 1;
    if (x > start) runs.push({ a: start, b: start - k, length: x - start });
    x = isDown ? right : left;
    k = isDown ? k + 1 : k - 1;
  }
  return { runs, end: { a: from.x, b: from.x - from.k } };
}
