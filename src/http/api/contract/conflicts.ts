import type { ApiDiffRow } from "./history.ts";
import type { ApiPlace } from "./place.ts";
import type { ApiOperation } from "./session.ts";

/** GET /conflicts */
export interface ApiConflicts {
  /** Documents that lie beside others. */
  readonly conflicts: readonly ApiConflict[];
  /** What else syncs decided that a person may see otherwise. */
  readonly unsettled: readonly ApiUnsettled[];
}

export interface ApiUnsettled extends ApiPlace {
  readonly name: string;
  /** What it is, to be given back as `decided`: of one document a sync may have decided several things. */
  readonly kind: string;
  /** What happened, as a sentence that goes on from the name. */
  readonly says: string;
  readonly choices: readonly ApiConflictChoice[];
  /** What a person can do instead, with an editor. */
  readonly byHand: string | undefined;
  /** The revisions that there are now: of the document, and of the other one that it is about. Not of what is no text. */
  readonly seen: ApiSeen | undefined;
}

/** What can be chosen. What is not there is not among them. */
export interface ApiConflictChoice {
  readonly keep: ApiSettle["keep"];
  /** As a clause that goes on from what is kept. */
  readonly does: string;
  /** What nothing is left of but in history: show it, and ask. */
  readonly deletes: ApiPlace | undefined;
  /** What this credential would have to be allowed here; empty where it may choose this. */
  readonly missing: readonly ApiOperation[];
}

export interface ApiConflict extends ApiPlace {
  readonly name: string;
  readonly original: string;
  readonly originalName: string;
}

/** GET /conflicts/show?root=&path= */
export interface ApiConflictView extends ApiConflict {
  readonly ours: { readonly rev: string | undefined; readonly text: string | undefined } | undefined;
  readonly theirs: { readonly rev: string | undefined; readonly text: string | undefined };
  readonly choices: readonly ApiConflictChoice[];
  /** Undefined where one of the two is no text. */
  readonly rows: readonly ApiDiffRow[] | undefined;
  readonly more?: number;
  readonly both: string | undefined;
}

/** POST /conflicts/settle: answers ApiSettled. */
export interface ApiSettle {
  readonly root: string;
  /** Of the document that lies beside another; with `decided`, of the one that a sync decided about. */
  readonly path: string;
  readonly decided?: string | undefined;
  readonly keep: "ours" | "theirs" | "both" | "text";
  /** With keep `text` alone: what it shall be. */
  readonly text?: string | undefined;
  /**
   * The revisions that were looked at; where they are others by now, nothing is done: 409. Needed where keeping ours
   * deletes the only copy there is.
   */
  readonly seen?: ApiSeen | undefined;
}

/** Null where there was nothing. */
export interface ApiSeen {
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** The document that has the name now, if any has. */
export interface ApiSettled extends ApiPlace {
  readonly rev: string | undefined;
  /** With keep `both`: where the other version is now. */
  readonly kept?: ApiPlace;
}
