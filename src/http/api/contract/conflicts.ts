import type { ApiDiffRow } from "./history.ts";
import type { ApiPlace } from "./place.ts";

/** GET /conflicts */
export interface ApiConflicts {
  /** Documents that lie beside others. */
  readonly conflicts: readonly ApiConflict[];
  /** What else syncs decided that a person may see otherwise; settled by `root/path` and one of its choices. */
  readonly unsettled: readonly ApiUnsettled[];
}

export interface ApiUnsettled extends ApiPlace {
  readonly name: string;
  /** What happened, as a sentence that goes on from the name. */
  readonly says: string;
  readonly choices: readonly { readonly keep: string; readonly does: string }[];
  /** What a person can do instead, with an editor. */
  readonly byHand: string | undefined;
}

export interface ApiConflict extends ApiPlace {
  readonly name: string;
  readonly original: string;
  readonly originalName: string;
}

/** GET /conflicts/show?name= */
export interface ApiConflictView extends ApiConflict {
  readonly ours: { readonly rev: string | undefined; readonly text: string | undefined } | undefined;
  readonly theirs: { readonly rev: string | undefined; readonly text: string | undefined };
  /** Undefined where one of the two is no text. */
  readonly rows: readonly ApiDiffRow[] | undefined;
  readonly more?: number;
  readonly both: string | undefined;
}

/** POST /conflicts/settle: answers ApiSaved of the document that keeps the name. */
export interface ApiSettle {
  readonly name: string;
  readonly keep: "ours" | "theirs" | "both" | "text";
  /** With keep `text`: what it shall be. */
  readonly text?: string | undefined;
  /** The revisions that were looked at; where they are others by now, nothing is done: 409. */
  readonly seen?: { readonly ours: string | null; readonly theirs: string | null } | undefined;
}
