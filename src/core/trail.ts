import type { ExistingPath } from "./document-path.ts";
import type { Rev } from "./revision.ts";
import type { Surveyed } from "./source.ts";
import type { ChangeKind } from "./store.ts";

/** One change of one document as the store wrote it down. */
export interface TrailRecord {
  readonly path: ExistingPath;
  /** The folder whose journal has it, "" for the root's own. */
  readonly folder: string;
  readonly kind: ChangeKind;
  readonly rev: Rev | undefined;
  readonly was: Rev | undefined;
  /** The other end of a move, where it lies in the same root. */
  readonly other?: ExistingPath | undefined;
  readonly time: string;
  readonly author: string;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly batch?: string | undefined;
  /** The record byte for byte, with its link. */
  readonly line: string;
  /** True for a removal that was cut off: the document stayed. */
  readonly isVoid: boolean;
}

/** Where a follower stands, for each folder; the values are opaque and can be kept as JSON. */
export type TrailPositions = Readonly<Record<string, unknown>>;

export interface TrailPage {
  /** In order for each folder. */
  readonly records: readonly TrailRecord[];
  /** Of the folders where there was something new. */
  readonly positions: TrailPositions;
  /** Folders whose records may come again, or of which some were lost: what is in history already must be passed over. */
  readonly gaps: readonly string[];
}

export type Look =
  | { readonly kind: "document"; readonly bytes: Uint8Array; readonly stamp: number }
  | { readonly kind: "gone" }
  /** A link, too large, no right to read: nothing can be said of it. */
  | { readonly kind: "unknown" };

/**
 * A root as history follows it: who wrote what, the bytes of what was superseded, and what is there now. Everything
 * is relative to the root, so that history outlives another name for it.
 */
export interface Trail {
  readonly root: string;
  /** Why no history can be kept here; undefined where it can. */
  refusal(): string | undefined;
  /** Where on disk history keeps its own files, below what ignores itself in git. Made where it is missing. */
  place(): string;
  /** The same without making anything; undefined where there is none. */
  existingPlace(): string | undefined;
  /** Undefined while another process records. Freed by the system when this one dies. */
  tryAlone(): { release(): void } | undefined;
  /**
   * What was written since. Nothing of it is under way: what a killed process left is brought to its end first, so a
   * record whose bytes are nowhere never took effect, or was overwritten by somebody else.
   */
  records(after: TrailPositions): Promise<TrailPage>;
  /** A revision that is kept or current. */
  bytesOf(path: ExistingPath, rev: Rev): Uint8Array | undefined;
  survey(): Iterable<Surveyed>;
  look(path: ExistingPath): Look;
  /** History has all records up to there: the bytes that only they needed go. */
  release(upTo: TrailPositions): Promise<void>;
}
