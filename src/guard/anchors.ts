import type { Span } from "./rule.ts";

export interface AnchorIndex {
  /** Calls `visit` for each place where an anchor stands, in the order of their ends, until it says that it is enough. */
  each(text: string, visit: (anchor: number, place: Span) => boolean): void;
}

/**
 * Anchors in ASCII, and those in other letters by a table of their own: the letters of all languages in one table would
 * be too large for the cache, and most texts need the first alone.
 */
export function indexAnchors(anchors: readonly string[]): AnchorIndex {
  const ids = [...anchors.keys()];
  const isPlain = (id: number) => !beyondAscii.test(anchors[id] ?? "");
  const inAscii = indexAlphabet(anchors, ids.filter(isPlain));
  const others = ids.filter((id) => !isPlain(id));
  let beyond: Machine | undefined;
  return {
    each: (text, visit) => {
      if (!beyondAscii.test(text)) return scan(text, inAscii, visit);
      // The larger part of the work, which a process that meets plain texts alone never does.
      beyond ??= indexAlphabet(anchors, others);
      scanBoth(text, inAscii, beyond, visit);
    },
  };
}

const beyondAscii = /[\u0080-\uffff]/;

/**
 * All anchors in one pass over the text, whatever their number (Aho and Corasick): one table look-up a character, the
 * same for every text. Letters count as their lower case; a character that no anchor holds ends every anchor.
 */
interface Machine {
  readonly classes: Uint16Array;
  readonly width: number;
  /** Each step waits for the one before: it is one look-up, of where the next state's row begins and whether it speaks. */
  readonly next: Uint32Array;
  /** The anchors that end in a state, with their lengths; most states have none. */
  readonly found: ReadonlyMap<number, readonly { readonly id: number; readonly length: number }[]>;
}

function indexAlphabet(anchors: readonly string[], ids: readonly number[]): Machine {
  const own = ids.map((id) => anchors[id] ?? "");
  const { classes, width } = classify(own);
  const { next, ends } = plant(own, classes, width);
  connect(next, ends, width);
  const found = new Map<number, { readonly id: number; readonly length: number }[]>();
  for (const [state, here] of ends) {
    found.set(
      state,
      here.map((at) => ({ id: ids[at] ?? 0, length: own[at]?.length ?? 0 })),
    );
  }
  for (let edge = 0; edge < next.length; edge += 1) {
    const state = next[edge] as number;
    next[edge] = 2 * state * width + (found.has(state) ? 1 : 0);
  }
  return { classes, width, next, found };
}

type Visit = (anchor: number, place: Span) => boolean;

function scan(text: string, machine: Machine, visit: Visit): void {
  const { classes, next } = machine;
  let step = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    step = next[(step >>> 1) + (code < classes.length ? (classes[code] as number) : 0)] as number;
    if ((step & 1) === 1 && !tell(machine, step, at + 1, visit)) return;
  }
}

/** Side by side: a rule must meet its anchors in their order, whatever letters they are in. */
function scanBoth(text: string, first: Machine, second: Machine, visit: Visit): void {
  let [one, other] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = first.next[(one >>> 1) + (code < first.classes.length ? (first.classes[code] as number) : 0)] as number;
    other = second.next[
      (other >>> 1) + (code < second.classes.length ? (second.classes[code] as number) : 0)
    ] as number;
    if ((one & 1) === 1 && !tell(first, one, at + 1, visit)) return;
    if ((other & 1) === 1 && !tell(second, other, at + 1, visit)) return;
  }
}

function tell({ found, width }: Machine, step: number, end: number, visit: Visit): boolean {
  for (const { id, length } of found.get((step >>> 1) / width) ?? []) {
    if (!visit(id, { start: end - length, end })) return false;
  }
  return true;
}

interface Trie {
  readonly next: Uint32Array;
  /** The anchors that end in a state. */
  readonly ends: Map<number, number[]>;
}

/** Characters that no anchor holds are one class, 0; that keeps the table small enough for the cache. */
function classify(anchors: readonly string[]): { classes: Uint16Array; width: number } {
  const classes = new Uint16Array(anchors.some((anchor) => beyondAscii.test(anchor)) ? 65_536 : 128);
  let width = 1;
  for (const character of anchors.join("")) {
    const code = character.charCodeAt(0);
    if (character !== character.toLowerCase()) throw new TypeError("An anchor is in lower case.");
    if (classes[code] !== 0) continue;
    classes[code] = width;
    const upper = character.toUpperCase();
    // The capital of the Turkish “ı” is “I”, which is that of “i” to all other words.
    if (upper.length === 1 && upper.toLowerCase() === character) classes[upper.charCodeAt(0)] = width;
    width += 1;
  }
  return { classes, width };
}

function plant(anchors: readonly string[], classes: Uint16Array, width: number): Trie {
  const most = anchors.reduce((letters, anchor) => letters + anchor.length, 1);
  const next = new Uint32Array(most * width);
  const ends = new Map<number, number[]>();
  let states = 1;
  for (const [id, anchor] of anchors.entries()) {
    let state = 0;
    for (let at = 0; at < anchor.length; at += 1) {
      const edge = state * width + (classes[anchor.charCodeAt(at)] as number);
      if (next[edge] === 0) {
        next[edge] = states;
        states += 1;
      }
      state = next[edge] as number;
    }
    addTo(ends, state, [id]);
  }
  return { next: next.subarray(0, states * width), ends };
}

/** Turns the trie into a machine that never goes back: each missing edge is that of the longest suffix that has one. */
function connect(next: Uint32Array, ends: Map<number, number[]>, width: number): void {
  const states = next.length / width;
  const fallback = new Uint32Array(states);
  const queue = new Uint32Array(states);
  let length = 0;
  for (let index = 0; index < width; index += 1) {
    if (next[index] !== 0) queue[length++] = next[index] as number;
  }
  for (let at = 0; at < length; at += 1) {
    const state = queue[at] as number;
    const other = fallback[state] as number;
    addTo(ends, state, ends.get(other) ?? []);
    for (let index = 1; index < width; index += 1) {
      const child = next[state * width + index] as number;
      const instead = next[other * width + index] as number;
      if (child === 0) next[state * width + index] = instead;
      else {
        fallback[child] = instead;
        queue[length++] = child;
      }
    }
  }
}

function addTo(ends: Map<number, number[]>, state: number, ids: readonly number[]): void {
  if (ids.length === 0) return;
  const here = ends.get(state);
  if (here) here.push(...ids);
  else ends.set(state, [...ids]);
}
