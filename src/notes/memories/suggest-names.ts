import { editDistance } from "../../kernel/edit-distance.ts";

const most = 3;
const maxCompared = 40;

/** The names that somebody who wrote this one probably meant. */
export function suggestNames(wrong: string, names: readonly string[]): string[] {
  const key = toKey(wrong);
  const last = key.split("/").at(-1) ?? key;
  return names
    .map((name) => ({ name, distance: distanceOf(name, key, last) }))
    .filter(({ distance }) => distance <= Math.max(2, key.length / 4))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

function distanceOf(name: string, key: string, last: string): number {
  const other = toKey(name);
  if (other === key) return 0;
  if (other.endsWith(`/${last}`) || other === last) return 1;
  return Math.abs(other.length - key.length) > 4 ? Number.POSITIVE_INFINITY : distanceBetweenEnds(other, key);
}

function toKey(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s]/g, "-");
}

/** Of what differs between the ends that both have; too much of it is no slip of the pen, and costs its square. */
function distanceBetweenEnds(first: string, second: string): number {
  const [left, right] = withoutCommonEnds(first, second);
  if (left.length > maxCompared || right.length > maxCompared) return Number.POSITIVE_INFINITY;
  return editDistance(left, right);
}

function withoutCommonEnds(left: string, right: string): [string, string] {
  const shorter = Math.min(left.length, right.length);
  let begin = 0;
  while (begin < shorter && left[begin] === right[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return [left.slice(begin, left.length - end), right.slice(begin, right.length - end)];
}
