import type { ApiSaved } from "./document.ts";

/**
 * GET /history?root=&path=|folder=&author=&run=&after=&limit= ; without root: all roots, newest first. At most 100 a page.
 * `after` is `next` of the page before, with the same filters.
 */
export interface ApiHistory {
  readonly revisions: readonly ApiRevision[];
  readonly next: string | undefined;
}

/** One operation of history. */
export interface ApiRevision {
  readonly id: string;
  readonly root: string;
  readonly time: string;
  readonly author: string;
  readonly run: string | undefined;
  readonly reason: string | undefined;
  /** At most 50. */
  readonly changes: readonly ApiChange[];
  /** How many more it has. */
  readonly more?: number;
}

export interface ApiChange {
  readonly path: string;
  readonly kind: string;
  readonly rev: string | undefined;
  readonly was: string | undefined;
  readonly from: string | undefined;
}

/** GET /history/show?root=&path=&rev= */
export interface ApiShown {
  readonly revision: ApiRevision;
  readonly path: string;
  readonly rev: string | undefined;
  /** Undefined where it was gone, or no UTF-8 text. */
  readonly text: string | undefined;
}

/** GET /history/diff?root=&path=&from=&to= : both texts, for a diff side by side. Without `from`, the one before. */
export interface ApiDiff {
  readonly from: ApiShown | undefined;
  readonly to: ApiShown;
  /** Undefined where one of the two is no text. */
  readonly rows: readonly ApiDiffRow[] | undefined;
  /** How many rows were left out at the end, for their number. */
  readonly more?: number;
}

/** One row of a diff side by side; a missing side is undefined. Of skipped lines, `line` is the first of them. */
export interface ApiDiffRow {
  readonly kind: "same" | "changed" | "removed" | "added" | "skipped";
  readonly left: { readonly line: number; readonly text: string } | undefined;
  readonly right: { readonly line: number; readonly text: string } | undefined;
  /** Of skipped lines: how many. */
  readonly count?: number;
}

/** POST /history/restore: ApiRestore answers ApiSaved with `restored`. */
export interface ApiRestore {
  readonly root: string;
  readonly path: string;
  /** As in history: of a revision or of the operation that made it, or the beginning of either. */
  readonly rev: string;
  /** The revision that is there now, where nothing else may be overwritten. */
  readonly ifRev?: string | undefined;
}

export interface ApiRestored extends ApiSaved {
  readonly restored: boolean;
}
