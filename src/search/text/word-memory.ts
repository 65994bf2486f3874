import { addNumber, addNumbers, createNumberList, grown, type NumberList } from "./number-list.ts";
import type { TextUnits } from "./text-units.ts";

/**
 * What was made of words, as numbers from 0 on. A word is found by the hash that reading it gives, in one typed array,
 * without being cut out of its text: that is most of the speed of building an index.
 */
export interface WordMemory {
  /** Adds the numbers of the word between two places to a list; false where nothing is known of it. */
  addKnown(list: NumberList, units: TextUnits, start: number, end: number, hash: number): boolean;
  /** Remembers the numbers of a word that is not known, unless it is very long or there are too many. */
  keep(units: TextUnits, start: number, end: number, hash: number, numbers: readonly number[]): void;
  isFull(): boolean;
  forget(): void;
}

const hashPrime = 0x01000193;

/** The hash of a word, one UTF-16 unit after the other; that of none is 0. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, hashPrime);
}

const longestKept = 40;
const leastSlots = 1 << 12;
/** A slot: the word's hash, where its characters are, their number (0 for an empty slot), and what is known of it. */
const slotSize = 4;

export function createWordMemory(mostWords: number): WordMemory {
  let slots = new Int32Array(0);
  let slotMask = 0;
  let characters = new Uint16Array(0);
  let characterCount = 0;
  let wordCount = 0;
  /** How many numbers a word has and which, for those that do not have exactly one; the complement of its place is in the slot. */
  let lists = createNumberList();
  forget();

  function forget(): void {
    slots = new Int32Array(leastSlots * slotSize);
    slotMask = slots.length - 1;
    characters = new Uint16Array(leastSlots);
    characterCount = 0;
    wordCount = 0;
    lists = createNumberList();
  }

  function firstSlot(hash: number): number {
    // The lowest bits choose the slot, and say least.
    return ((hash ^ (hash >>> 15)) * slotSize) & slotMask;
  }

  function isAt(values: Uint16Array, start: number, place: number, length: number): boolean {
    for (let at = 0; at < length; at += 1) {
      if (values[start + at] !== characters[place + at]) return false;
    }
    return true;
  }

  function emptySlot(hash: number): number {
    let slot = firstSlot(hash);
    while (slots[slot + 2] !== 0) slot = (slot + slotSize) & slotMask;
    return slot;
  }

  /** At most half of the slots are taken, or finding would be slow, and never end in a full table. */
  function makeRoom(): void {
    if (2 * wordCount * slotSize < slots.length) return;
    const before = slots;
    slots = new Int32Array(2 * before.length);
    slotMask = slots.length - 1;
    for (let from = 0; from < before.length; from += slotSize) {
      if (before[from + 2] !== 0) slots.set(before.subarray(from, from + slotSize), emptySlot(before[from] as number));
    }
  }

  return {
    addKnown: (list, { values }, start, end, hash) => {
      const length = end - start;
      for (let slot = firstSlot(hash); slots[slot + 2] !== 0; slot = (slot + slotSize) & slotMask) {
        if (slots[slot] !== hash || slots[slot + 2] !== length) continue;
        if (!isAt(values, start, slots[slot + 1] as number, length)) continue;
        const known = slots[slot + 3] as number;
        if (known >= 0) addNumber(list, known);
        else addNumbers(list, lists.values, ~known + 1, ~known + 1 + (lists.values[~known] as number));
        return true;
      }
      return false;
    },
    keep: ({ values }, start, end, hash, numbers) => {
      const length = end - start;
      if (length > longestKept || wordCount >= mostWords) return;
      makeRoom();
      if (characterCount + length > characters.length) characters = grown(characters, Uint16Array, 0);
      const slot = emptySlot(hash);
      slots[slot] = hash;
      slots[slot + 1] = characterCount;
      slots[slot + 2] = length;
      slots[slot + 3] = numbers.length === 1 ? (numbers[0] as number) : ~lists.length;
      if (numbers.length !== 1) for (const number of [numbers.length, ...numbers]) addNumber(lists, number);
      for (let at = start; at < end; at += 1) characters[characterCount++] = values[at] as number;
      wordCount += 1;
    },
    isFull: () => wordCount >= mostWords,
    forget,
  };
}
