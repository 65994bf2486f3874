import type { ApiRevision } from "./history.ts";
import type { ApiPlace } from "./place.ts";

/** GET /overview */
export interface ApiOverview {
  readonly documents: number;
  readonly bytes: number;
  /** Newest first, at most 20. */
  readonly recent: readonly ApiRevision[];
  /** How many documents there were at the end of each day, and how many changes it had: the last 90 days, oldest first. */
  readonly growth: readonly ApiGrowthDay[];
  /** Who wrote how much in these days, most first. */
  readonly authors: readonly { readonly author: string; readonly changes: number }[];
  readonly mostRecalled: readonly ApiRecalled[];
  readonly neverRecalled: { readonly count: number; readonly examples: readonly ApiPlace[] };
  /** Only for an admin; what `doctor` says, problems first. */
  readonly health: readonly ApiFinding[] | undefined;
  /** Those of both kinds that `GET /conflicts` lists. */
  readonly conflicts: number;
  /** What is still being counted: ask again in a moment. What is too much to be is among the warnings. */
  readonly partial: readonly ("documents" | "growth" | "conflicts" | "health")[];
  readonly warnings: readonly string[];
}

export interface ApiGrowthDay {
  readonly date: string;
  readonly documents: number;
  readonly changes: number;
}

interface ApiRecalled extends ApiPlace {
  readonly count: number;
  readonly last: string;
}

export interface ApiFinding {
  readonly level: "fine" | "note" | "problem";
  readonly about: string;
  readonly says: string;
  readonly remedy: string | undefined;
  /** How many it stands for: several where a row sums them up. */
  readonly count: number;
}
