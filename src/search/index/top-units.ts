/** A unit among the best, in a chunk that is told by its number in the order of searching. */
export interface TopUnit {
  readonly chunk: number;
  readonly unit: number;
  readonly score: number;
}

/**
 * Gathers the best units. Which of equally scored ones comes first is known only when their paths are read, so all
 * that are offered are kept. Within a chunk the order of units is the order of paths: of those that score just the
 * least, the first so many of a chunk are enough.
 */
export interface TopUnits {
  /** How many; nothing is kept then. */
  begin(limit: number): void;
  limit(): number;
  /** Units that score less, or nothing, need not be offered. */
  least(): number;
  /** Answers the new least. */
  offer(chunk: number, unit: number, score: number): number;
  /** The best so many by their score, with those that score like the last of them; equal ones are in no order. */
  kept(): readonly TopUnit[];
}

/**
 * Numbers and no objects: most of what is offered is passed over again. The memory is kept from one query to the next,
 * which must have taken what it kept.
 */
export function createTopUnits(): TopUnits {
  let limit = 0;
  /** The best scores so far, the least of them on top. */
  let heap = new Float64Array(0);
  let filled = 0;
  let least = Number.POSITIVE_INFINITY;
  let chunks = new Uint32Array(64);
  let units = new Uint32Array(chunks.length);
  let scores = new Float64Array(chunks.length);
  let count = 0;

  function rise(score: number): void {
    let place = filled++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((heap[parent] as number) <= score) break;
      heap[place] = heap[parent] as number;
      place = parent;
    }
    heap[place] = score;
  }

  function sink(score: number): void {
    let place = 0;
    for (let child = 1; child < limit; child = 2 * place + 1) {
      if (child + 1 < limit && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= score) break;
      heap[place] = heap[child] as number;
      place = child;
    }
    heap[place] = score;
  }

  /** Leaves out what scores too little by now. */
  function prune(): void {
    let left = 0;
    for (let at = 0; at < count; at++) {
      if ((scores[at] as number) < least) continue;
      chunks[left] = chunks[at] as number;
      units[left] = units[at] as number;
      scores[left] = scores[at] as number;
      left++;
    }
    count = left;
  }

  function makeRoom(): void {
    prune();
    if (count * 2 < scores.length) return;
    chunks = grown(chunks, new Uint32Array(chunks.length * 2));
    units = grown(units, new Uint32Array(units.length * 2));
    scores = grown(scores, new Float64Array(scores.length * 2));
  }

  return {
    begin(wanted) {
      limit = wanted;
      if (heap.length < limit) heap = new Float64Array(limit);
      filled = 0;
      count = 0;
      least = limit > 0 ? Number.MIN_VALUE : Number.POSITIVE_INFINITY;
    },
    limit: () => limit,
    least: () => least,
    offer(chunk, unit, score) {
      if (score < least) return least;
      if (count === scores.length) makeRoom();
      chunks[count] = chunk;
      units[count] = unit;
      scores[count++] = score;
      if (filled < limit) rise(score);
      else sink(score);
      if (filled === limit) least = heap[0] ?? least;
      return least;
    },
    kept() {
      prune();
      const places = greatestFirst(scores, count);
      const best: TopUnit[] = [];
      for (let index = 0; index < count; index++) {
        const at = places[index] as number;
        best.push({ chunk: chunks[at] as number, unit: units[at] as number, score: scores[at] as number });
      }
      return best;
    },
  };
}

function grown<Numbers extends Uint32Array | Float64Array>(before: Numbers, room: Numbers): Numbers {
  room.set(before);
  return room;
}

const mostPlaces = 2 ** 21;
const mostScore = 2 ** 32;

/** The places of the scores. */
function greatestFirst(scores: Float64Array, count: number): Uint32Array {
  const places = new Uint32Array(count);
  // Score and place as one number, since numbers are sorted far sooner than by a function that compares.
  const packed = new Float64Array(count);
  let isPacked = count <= mostPlaces;
  for (let at = 0; at < count; at++) {
    const score = scores[at] as number;
    packed[at] = score * mostPlaces + at;
    places[at] = at;
    isPacked &&= score < mostScore && Number.isInteger(score);
  }
  if (!isPacked) return places.sort((left, right) => (scores[right] as number) - (scores[left] as number));
  packed.sort();
  for (let at = 0; at < count; at++) places[count - 1 - at] = (packed[at] as number) % mostPlaces;
  return places;
}
