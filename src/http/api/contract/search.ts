import type { ApiPlace } from "./place.ts";

/** Nobody turns more pages; a better question finds it. */
export const lastOffset = 1000;

/**
 * GET /search?q=&topic=&since=&until=&path=&root=&limit=&offset=&explain=1&preview=1 ; at most 50 hits a page, and an
 * `offset` of at most 1000: what comes later in a long `total` is found by a narrower question.
 * With `preview`, as somebody types, what is found does not count as recalled.
 */
export interface ApiSearch {
  readonly hits: readonly ApiHit[];
  readonly total: number;
  readonly warnings: readonly string[];
}

export interface ApiHit extends ApiPlace {
  readonly title: string;
  readonly breadcrumb: readonly string[];
  readonly date: string;
  readonly lines: { readonly from: number; readonly to: number };
  readonly score: number;
  readonly snippet: {
    readonly text: string;
    readonly marks: readonly { readonly from: number; readonly to: number }[];
  };
  readonly flagged: boolean;
  readonly explanation:
    | {
        readonly text: number;
        readonly meaning: number;
        readonly recency: number;
        readonly context: number;
        readonly terms: readonly { readonly term: string; readonly for: string; readonly score: number }[];
      }
    | undefined;
}
