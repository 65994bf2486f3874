import { editDistance } from "../kernel/edit-distance.ts";

/**
 * The candidate that was most likely meant. Case and the marks between words do not count, and a name
 * without its section (`folder`) is as near to `memories.folder` as one letter off.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const distances = candidates.map((candidate) => ({ candidate, distance: distanceBetween(name, candidate) }));
  distances.sort((left, right) => left.distance - right.distance);
  return distances[0]?.candidate;
}

function distanceBetween(name: string, candidate: string): number {
  // A name of 200 KiB is nobody's typing error, and the distance costs the product of both lengths.
  const plain = toPlain(name.slice(0, 100));
  const whole = editDistance(plain, toPlain(candidate));
  const lastPart = (text: string) => toPlain(text.slice(text.lastIndexOf(".") + 1));
  return Math.min(whole, editDistance(lastPart(name.slice(0, 100)), lastPart(candidate)) + 1);
}

function toPlain(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, "");
}
