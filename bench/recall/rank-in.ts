import type { Place } from "./data.ts";

/** Where in a list a place comes first, from 0; Infinity where it does not. */
export function rankIn(list: readonly Place[], { path, line }: Place): number {
  const rank = list.findIndex((found) => found.path === path && found.line === line);
  return rank === -1 ? Number.POSITIVE_INFINITY : rank;
}
