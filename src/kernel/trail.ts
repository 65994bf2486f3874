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

/** What one process at a time does in a root. */
type AloneWork = "record" | "sync";

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

/** How what must not be kept any longer is taken out of what waits for history. */
export interface Rewriting {
  /** Without it; undefined where it is not in these bytes. */
  readonly clean: (bytes: Uint8Array) => Buffer | undefined;
  /** The same for a record as JSON, without its link; revisions that `learn` told of among it. */
  readonly cleanRecord: (text: string) => string;
  /** Bytes of the one revision are those of the other now. */
  readonly learn: (before: Rev, now: Rev) => void;
  /** Whether history has a record already. */
  readonly isKnown: (line: string) => boolean;
  /** Whether records of this folder must be written anew, whatever they hold. */
  readonly isConcerned: (folder: string) => boolean;
  /** What is put down in each folder whose records are rewritten: who did it, and when. */
  readonly mark: Readonly<Record<string, string>>;
}

export interface Rewritten {
  /** Of the folders that were rewritten: before what waits for history. */
  readonly positions: TrailPositions;
  /** Folders that could not be rewritten. */
  readonly left: readonly string[];
}

/** The records of one folder as they lie there, for whoever doubts them. */
export interface FolderEvidence {
  readonly folder: string;
  /** Names this journal; one that was deleted and begun anew is another. */
  readonly journal: string;
  /** The link that its oldest record here goes on from; undefined where that one has no link. */
  readonly begins: string | undefined;
  /** The records up to where history stands, byte for byte. */
  readonly recorded: readonly string[];
  /** Those after it. */
  readonly pending: readonly TrailRecord[];
  /** What is wrong with them, as sentences that go on from the name of the folder's journal. */
  readonly faults: readonly string[];
  /** Why the journal cannot be looked at, where something else is in its place or in that of the lock. */
  readonly refusal?: string | undefined;
  /** Records that do not follow the one before them but one further up: two writers had the lock at once. */
  readonly forks: readonly string[];
  /** The same for the bytes of what was superseded, by revision. */
  readonly badBytes: readonly Rev[];
  /** Whether an operation over several documents was cut off here, which the next operation ends. */
  readonly isCutOff: boolean;
}

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
  /** Whether something else lies there, such as a link: then it came from somebody else, and nothing is recorded. */
  isPlaceTaken(): boolean;
  /** Undefined while another process does this work. Freed by the system when this one dies. By default: to record. */
  tryAlone(work?: AloneWork): { release(): void } | undefined;
  /**
   * What was written since. Nothing of it is under way: what a killed process left is brought to its end first, so a
   * record whose bytes are nowhere never took effect, or was overwritten by somebody else.
   */
  records(after: TrailPositions): Promise<TrailPage>;
  /** A revision that is kept or current. */
  bytesOf(path: ExistingPath, rev: Rev): Uint8Array | undefined;
  survey(): Iterable<Surveyed>;
  /** Documents that are too large to be followed: they are in no survey, and nothing is kept of them. */
  tooLarge(): readonly string[];
  look(path: ExistingPath): Look;
  /** Every folder that has records, looked at in full. Changes nothing. */
  inspect(after: TrailPositions): Promise<readonly FolderEvidence[]>;
  /** Takes something out of all records and kept bytes that wait for history, and begins their chains anew. */
  rewrite(after: TrailPositions, rewriting: Rewriting): Promise<Rewritten>;
  /** Takes away folders that hold no document any more, where their names must go; what is in their journals goes too. */
  removeEmpty(isForbidden: (folder: string) => boolean): Promise<void>;
  /** What was last noted by `noteTip`, which outlives history itself; undefined where nothing ever was. */
  notedTip(): string | undefined;
  noteTip(text: string): void;
  /** History has all records up to there: the bytes that only they needed go. */
  release(upTo: TrailPositions): Promise<void>;
}
