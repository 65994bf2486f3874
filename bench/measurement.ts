import type { Peer } from "./peers/install.ts";

/** One line of the table. */
export interface Row {
  readonly measurement: string;
  readonly unit: "ms" | "µs" | "lost" | "per second";
  readonly ours: number;
  readonly p90?: number;
  /** What ours stands beside: the floor, or a peer. */
  readonly reference?: { readonly name: string; readonly value: number; readonly p90?: number };
  /** The largest ratio of ours to the reference, or the largest value where there is no reference. */
  readonly limit?: number;
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
  return (ratioOf(row) ?? row.ours) <= row.limit;
}
