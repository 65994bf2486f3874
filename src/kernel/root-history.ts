import type { ExistingPath } from "./document-path.ts";
import type { Rev } from "./revision.ts";
import type { ChangeKind } from "./store.ts";

/** What was done; `outside` by somebody who did not go through a store, `import` was there when recording began. */
export type OperationKind = ChangeKind | "outside" | "import";

/** What an operation made of one document. */
export interface DocumentChange {
  readonly path: ExistingPath;
  readonly kind: OperationKind;
  /** Undefined where the document is gone. */
  readonly rev: Rev | undefined;
  /** Undefined where it was not there. */
  readonly was: Rev | undefined;
  /** Where a moved document came from, in the same root. */
  readonly from?: ExistingPath | undefined;
  /** Where it was moved to, in the log of one document. */
  readonly to?: ExistingPath | undefined;
}

/** One operation: who did what, when and why. */
export interface Operation {
  /** Opaque; the same as long as the history is. */
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly author: string;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly batch?: string | undefined;
  /** Those that were asked for, in a log of one document or folder. */
  readonly changes: readonly DocumentChange[];
}

/** Which operations to list. All of the history where nothing is given. */
export interface LogRequest {
  /** One document, followed to where it was moved from. */
  readonly path?: ExistingPath | undefined;
  readonly folder?: ExistingPath | undefined;
  readonly author?: string | undefined;
  readonly run?: string | undefined;
  readonly batch?: string | undefined;
  /** From this time on, ISO 8601. */
  readonly since?: string | undefined;
  /** Up to this time. */
  readonly until?: string | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Newest first. */
export interface LogPage {
  readonly operations: readonly Operation[];
  readonly next: string | undefined;
}

/** A document as an operation left it, or as it found it. */
export interface Moment {
  readonly id: string;
  readonly path: ExistingPath;
  readonly side: "before" | "after";
  /** What it was, where the log told: bytes that cannot be found then are no document that was not there. */
  readonly rev?: Rev | undefined;
}

export interface CatchUpOptions {
  /** How long to wait for another process that records. */
  readonly waitMs?: number;
  /** True leaves what may take seconds to others. */
  readonly leavesMuch?: boolean;
}

export type CatchUp =
  | { readonly kind: "recorded"; readonly operations: number }
  /** Another process records just now. */
  | { readonly kind: "busy" }
  /** No history is kept here, and why. */
  | { readonly kind: "none"; readonly reason: string };

export interface HistoryStatus {
  readonly refusal: string | undefined;
  readonly bytes: number;
  /** What is wrong with it, as sentences, as far as a quick look shows. */
  readonly faults: readonly string[];
  /** Documents that are too large for it, of which no revision is kept. */
  readonly leftOut?: readonly string[];
  /** What is no fault of history itself, as sentences: that its second copy cannot be written. */
  readonly remarks?: readonly string[];
}

/**
 * The history of one root. Two implementations are meant: in git beside the documents, and in a database. Whatever
 * can be said in terms of these few is built on them once, for both (history.ts).
 */
export interface RootHistory {
  readonly root: string;
  /** Records what was written since; readers call it first. */
  catchUp(options?: CatchUpOptions): Promise<CatchUp>;
  log(request: LogRequest): Promise<LogPage>;
  /** Undefined where there was no such document then. Throws where a moment tells that there was. */
  contents(moments: readonly Moment[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Makes it small and quick; for the background. False where there was nothing to do. */
  maintain(): Promise<boolean>;
  /** Drops what is older than the setting says; for the background. How many operations went. */
  trim(): Promise<number>;
  /** Somebody knows that a part of history was lost. False where nothing was. */
  acceptLoss(author: string): Promise<boolean>;
  status(): Promise<HistoryStatus>;
  close(): Promise<void>;
}
