import type { Stats } from "node:fs";

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
