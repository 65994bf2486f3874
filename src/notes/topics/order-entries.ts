import { hash } from "node:crypto";
import type { RawEntry } from "./topic-file.ts";

/** An entry that stays after a merge, and where it stood. */
export interface Slot {
  readonly base?: number | undefined;
  readonly ours?: number | undefined;
  readonly theirs?: number | undefined;
  /** Two where both sides' versions are kept. */
  readonly versions: readonly RawEntry[];
}

type Side = "ours" | "theirs";

/**
 * The entries of both sides, newest first. Those that both have keep their order, and hold the others in place: what
 * one side has alone stays above the same entry as there. Where both put entries at one place, the later date goes first.
 */
export function orderSlots(slots: readonly Slot[]): RawEntry[] {
  const anchors = orderAnchors(slots.filter(({ ours, theirs }) => ours !== undefined && theirs !== undefined));
  const [mine, other] = [aboveAnchors(slots, "ours"), aboveAnchors(slots, "theirs")];
  return [...anchors, undefined].flatMap((anchor) =>
    [...byDate(mine.get(anchor) ?? [], other.get(anchor) ?? []), ...(anchor ? [anchor] : [])].flatMap(
      ({ versions }) => versions,
    ),
  );
}

/** Three-way: the order of the side that changed it. Where both did, the texts decide, and not who is ours. */
function orderAnchors(anchors: readonly Slot[]): readonly Slot[] {
  const [mine, other] = [inOrder(anchors, "ours"), inOrder(anchors, "theirs")];
  if (isSameOrder(mine, other)) return mine;
  const known = inOrder(
    anchors.filter(({ base }) => base !== undefined),
    "base",
  );
  const isKept = (order: readonly Slot[]) =>
    isSameOrder(
      order.filter(({ base }) => base !== undefined),
      known,
    );
  if (isKept(mine) !== isKept(other)) return isKept(mine) ? other : mine;
  return keyOf(mine) < keyOf(other) ? mine : other;
}

function inOrder(slots: readonly Slot[], side: Side | "base"): Slot[] {
  return slots.toSorted((one, other) => (one[side] ?? 0) - (other[side] ?? 0));
}

function isSameOrder(one: readonly Slot[], other: readonly Slot[]): boolean {
  return one.every((slot, index) => slot === other[index]);
}

/** The same for both sides. Entries of the same text are told apart by where they stood before. */
function keyOf(order: readonly Slot[]): string {
  return hash("sha256", order.flatMap(({ base, versions }) => [base, ...versions.map(({ raw }) => raw)]).join("\0"));
}

/** What a side has alone, by the next entry below that both have; undefined stands for the end of the file. */
function aboveAnchors(slots: readonly Slot[], side: Side): Map<Slot | undefined, Slot[]> {
  const above = new Map<Slot | undefined, Slot[]>();
  let waiting: Slot[] = [];
  const own = slots.filter((slot) => slot[side] !== undefined);
  for (const slot of inOrder(own, side)) {
    if (slot.ours === undefined || slot.theirs === undefined) {
      waiting.push(slot);
      continue;
    }
    above.set(slot, waiting);
    waiting = [];
  }
  return above.set(undefined, waiting);
}

/** Two runs as one, each in its own order. */
function byDate(mine: readonly Slot[], other: readonly Slot[]): Slot[] {
  const joined: Slot[] = [];
  let [i, j] = [0, 0];
  while (i < mine.length || j < other.length) {
    const [left, right] = [mine[i], other[j]];
    if (left && (!right || isAbove(left, right))) {
      joined.push(left);
      i += 1;
    } else if (right) {
      joined.push(right);
      j += 1;
    }
  }
  return joined;
}

function isAbove(one: Slot, other: Slot): boolean {
  const [left, right] = [one.versions[0] as RawEntry, other.versions[0] as RawEntry];
  return left.date === right.date ? left.raw < right.raw : left.date > right.date;
}
