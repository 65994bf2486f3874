import type { Peer } from "./peers/install.ts";

/** One line of the table. */
export interface Row {
  readonly measurement: string;
  readonly unit: "ms" | "µs" | "lost" | "per second" | "KB" | "MB" | "%";
  readonly ours: number;
  /** Where 95 of 100 repetitions on other questions of the kind would lie. */
  readonly interval?: readonly [number, number];
  readonly p90?: number;
  /** What ours stands beside: the floor, or a peer. */
  readonly reference?: { readonly name: string; readonly value: number; readonly p90?: number };
  /** The largest ratio of ours to the reference, or the largest value where there is no reference. */
  readonly limit?: number;
  /** The limit is the smallest, since more is better. */
  readonly atLeast?: boolean;
  /** Everything else worth keeping; goes to the JSON, not to the table. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Measurement {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Row[]>;
}

interface BenchContext {
  /** The official servers, installed when first asked for; none where that fails. */
  readonly peers: () => readonly Peer[];
}

export function ratioOf({ ours, reference, unit }: Row): number | undefined {
  // Losses are counted, not compared: against a peer that lost none there is no ratio.
  return reference && unit !== "lost" ? ours / reference.value : undefined;
}

export function isWithinLimit(row: Row): boolean | undefined {
  if (row.limit === undefined) return undefined;
  const value = ratioOf(row) ?? row.ours;
  return row.atLeast ? value >= row.limit : value <= row.limit;
}
