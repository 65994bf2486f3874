import type { BigIntStats, Stats } from "node:fs";

const times = new Float64Array(2);
const words = new Uint32Array(times.buffer);

/**
 * 53 bits over what any change of a file changes; never 0. The change time is in it because nobody can set it:
 * a text of the same length with its old time put back is still another one. Not the device, whose number may be
 * another after a restart of the machine.
 */
export function stampOf(stat: Pick<Stats, "ctimeMs" | "mtimeMs" | "ino" | "size">): number {
  times[0] = stat.ctimeMs;
  times[1] = stat.mtimeMs;
  const { ino, size } = stat;
  // Without a loop, for the first thousands of calls in a fresh process, which are interpreted.
  const changedLow = words[0] as number;
  const changedHigh = words[1] as number;
  const modifiedLow = words[2] as number;
  const modifiedHigh = words[3] as number;
  let low = Math.imul(0x1b873593 ^ changedLow, 0x5f356495);
  let high = Math.imul(0x9747b28c ^ changedLow, 0x9e3779b1);
  low = Math.imul(low ^ changedHigh, 0x5f356495);
  high = Math.imul(high ^ (high >>> 15) ^ changedHigh, 0x9e3779b1);
  low = Math.imul(low ^ modifiedLow, 0x5f356495);
  high = Math.imul(high ^ (high >>> 15) ^ modifiedLow, 0x9e3779b1);
  low = Math.imul(low ^ modifiedHigh, 0x5f356495);
  high = Math.imul(high ^ (high >>> 15) ^ modifiedHigh, 0x9e3779b1);
  low = Math.imul(low ^ size, 0x5f356495);
  high = Math.imul(high ^ (high >>> 15) ^ size, 0x9e3779b1);
  low = Math.imul(low ^ (ino + ino / 2 ** 32), 0x5f356495);
  high = Math.imul(high ^ (high >>> 15) ^ (ino + ino / 2 ** 32), 0x9e3779b1);
  low = Math.imul(low ^ (low >>> 16) ^ high, 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 13) ^ low, 0xc2b2ae35);
  return (high >>> 11) * 2 ** 32 + ((low ^ (low >>> 15)) >>> 0) || 1;
}

// The kernel's clock for files ticks every 1 to 10 ms; old file systems keep whole seconds, FAT every second one.
const tickMs = 50;
const coarseTickMs = 2050;

/**
 * Whether the file was changed so lately that one more change could fall into the same tick of its clock, and leave
 * the same stamp. `now` is the time before the file was looked at. A time in the future (a clock that was set back)
 * tells nothing either.
 */
export function mayChangeUnseen({ mtimeMs, ctimeMs }: Stats, now: number): boolean {
  const isCoarse = ctimeMs % 1000 === 0 && mtimeMs % 1000 === 0;
  return ctimeMs > now - (isCoarse ? coarseTickMs : tickMs);
}

/**
 * Whether a file or folder that was looked at after `now` was at rest long before: whatever changes it later leaves
 * another time, also where that is kept in whole seconds.
 */
export function isAtRest(
  { ctimeMs, mtimeMs }: { readonly ctimeMs: bigint; readonly mtimeMs: bigint },
  now: number,
): boolean {
  return Math.max(Number(ctimeMs), Number(mtimeMs)) < now - coarseTickMs;
}

/** The stamp of what was looked at in nanoseconds: the same as of a look in milliseconds, which Node makes of them. */
export function exactStampOf(stat: BigIntStats): number {
  return stampOf({
    ctimeMs: millisecondsOf(stat.ctimeNs),
    mtimeMs: millisecondsOf(stat.mtimeNs),
    ino: Number(stat.ino),
    size: Number(stat.size),
  });
}

function millisecondsOf(nanoseconds: bigint): number {
  const [seconds, rest] = secondsOf(nanoseconds);
  return Number(seconds) * 1000 + Number(rest) / 1_000_000;
}

/** A time as the system has it: before 1970 seconds are negative, and what is beside them is not. */
export function secondsOf(nanoseconds: bigint): readonly [seconds: bigint, nanoseconds: bigint] {
  const second = 1_000_000_000n;
  const rest = ((nanoseconds % second) + second) % second;
  return [(nanoseconds - rest) / second, rest];
}

/** Another one where a name in the folder came, went or was given to something else. */
export function stampOfFolder({ ino, ctimeNs, mtimeNs }: BigIntStats): string {
  return `${ino}-${ctimeNs}-${mtimeNs}`;
}
