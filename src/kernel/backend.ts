import type { Documents } from "./documents.ts";
import type { OnVerifyProgress, RootVerification, VerifyFinding } from "./finding.ts";
import type { Log } from "./log.ts";
import type { DocumentTime, OperationSource } from "./operation-source.ts";
import type { PurgeForms } from "./purge-forms.ts";
import type { RecordPlace } from "./records.ts";
import type { Rev } from "./revision.ts";
import type { RootHistory } from "./root-history.ts";
import type { Source } from "./source.ts";
import type { Address, Stamp, Store } from "./store.ts";
import type { Trail } from "./trail.ts";

/** What a backend may have. `test/contract` checks the parts that it lists, and that it has no other. */
export const backendParts = ["documents", "feed", "history", "records", "care"] as const;
export type BackendPart = (typeof backendParts)[number];

/** A root, and where in its backend it lies. */
export interface BackendRoot {
  readonly name: string;
  /** The path of a folder, or the name of a space. What lies in it is called `place/name`. */
  readonly place: string;
  /** Nothing is changed there, whatever the policies above say. */
  readonly readOnly?: boolean;
  /** Each folder right below is kept apart and has no history, such as that of each agent. */
  readonly isDivided?: boolean;
  /** Where the place is a link, there is nothing: the link could lead to what belongs to another agent (AGT-4). */
  readonly refusesLink?: boolean;
  /** Of folders alone; see `RootFolderOptions`. */
  readonly create?: boolean;
  readonly plain?: boolean;
  readonly seals?: (realPath: string) => void;
}

/**
 * What keeps roots: documents, and what belongs to them. Whatever is above a backend asks which parts it has, never
 * which backend it is. Parts that need more than a read or a write are loaded when they are first asked for.
 */
export interface Backend {
  readonly parts: ReadonlySet<BackendPart>;
  readonly documents: BackendDocuments;
  /** A root as search and listeners follow it. */
  feed(root: string, options?: FeedOptions): Source;
  history?(root: string, options: HistoryOptions): Promise<RootHistory>;
  /** Records that lie beside the roots of this place. */
  records?(place: string): RecordPlace;
  care?(root: string): Promise<RootCare>;
  /** What only folders can do: for sync, mirrors, commits to a project and a person's editor. */
  readonly folder?: FolderPart;
  /** Other roots of the same backend. The caller closes them. */
  beside(roots: readonly BackendRoot[]): Backend;
  /** Whether anything lies in a place. */
  has(place: string): Promise<boolean>;
  /** The names of what lies right below a place: one for each agent. */
  below(place: string): Promise<readonly string[]>;
  /** For a backend that may be out of reach. */
  health?(): Promise<BackendHealth>;
  close(): Promise<void>;
}

export interface BackendDocuments extends Store {
  /** A document as it is, also where it is no text; undefined where there is none. */
  readBytes(at: Address): Promise<StoredBytes | undefined>;
  /** Who made a revision of a document last, where that is still known; undefined for what came another way. */
  authorOf(at: Address, rev: Rev | undefined): Promise<string | undefined>;
}

export interface StoredBytes {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

interface FeedOptions {
  /** Which paths are documents to the caller, such as those that end in `.md`. */
  readonly isDocument?: (path: string) => boolean;
}

interface HistoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long what was is kept; undefined for ever. */
  readonly keepMs?: number | undefined;
  /** Told of what was damaged and repaired. */
  readonly log?: Log;
  /** True for a process that stays and answers requests: work that takes long is done in a process of its own. */
  readonly stays?: boolean;
  /** The process is about to end: what takes long is left to the next one. */
  readonly closing?: AbortSignal;
  /** The process waits no longer, also not for what is under way. */
  readonly over?: AbortSignal;
}

/** What looks after all that a backend keeps of a root. */
export interface RootCare {
  /** Proves that what is kept agrees. Changes nothing. */
  verify(request: VerifyRequest): Promise<RootVerification>;
  /** Where a value stands, and where it stood. Changes nothing. */
  find(forms: PurgeForms): Promise<FoundValue>;
  /** The documents that hold it, after a purge or where none may change them. */
  holding(forms: PurgeForms): Promise<readonly string[]>;
  /** Takes it out of the documents and of all that is kept of what they were. */
  purge(request: PurgeRequest): Promise<PurgedRoot>;
  /** All that its history has, for a copy. */
  operations(): Promise<OperationSource>;
  /** Fills it with what another root has. It must be empty, or have been filled from there before. */
  fill(request: FillRequest): Promise<FillReport>;
}

interface VerifyRequest {
  /** Says more about what became of a document, where that can be told. */
  readonly describe?: DescribeChange | undefined;
  readonly onProgress?: OnVerifyProgress | undefined;
}

export type DescribeChange = (
  path: string,
  before: Uint8Array,
  now: Uint8Array | undefined,
) => { readonly part?: VerifyFinding["part"]; readonly says?: string } | undefined;

/** A document that holds a value, or did; under a name that does not. */
export interface ValueSighting {
  readonly path: string;
  readonly isCurrent: boolean;
  /** In how many revisions. */
  readonly revisions: number;
}

export interface FoundValue {
  readonly documents: readonly ValueSighting[];
  /** What holds it in no revision of a document, by its name. */
  readonly elsewhere: readonly string[];
}

export interface PurgeRequest {
  readonly forms: PurgeForms;
  /** Who does it, and why. */
  readonly stamp: Stamp;
  /** Names the value. */
  readonly fingerprint: string;
  readonly now: () => number;
  /** Through which documents are changed, so that the change is recorded like any other. */
  readonly documents: Documents;
  /** Brings into history what waits for it. */
  readonly record: () => Promise<unknown>;
}

export interface PurgedRoot {
  /** In how many revisions each document had it. */
  readonly revisions: ReadonlyMap<string, number>;
  /** How many journals had to be written anew. */
  readonly journals: number;
  /** What could not be cleaned, as sentences. */
  readonly left: readonly string[];
}

export interface FillRequest {
  readonly source: OperationSource;
  /** When the documents of the source were changed: that stands in no history. */
  readonly times: () => AsyncIterable<readonly DocumentTime[]>;
  readonly onProgress?: OnFillProgress | undefined;
  /** So many changes go together. */
  readonly atOnce?: number | undefined;
}

/** How far a copy is: first what was, then what is there now. */
export interface FillProgress {
  readonly stage: "history" | "documents";
  readonly done: number;
  readonly total: number;
}

export type OnFillProgress = (progress: FillProgress) => void;

export interface FillReport {
  /** How many operations were copied now; 0 where there was nothing new. */
  readonly operations: number;
  /** How many documents were put in their places, or got their times. */
  readonly documents: number;
}

export interface FolderPart {
  /** What a store of folders wrote down, from which history is recorded. */
  trail(root: string): Trail;
}

/** One that is slow needs patience, one that is down needs repair. */
export interface BackendHealth {
  readonly kind: "up" | "slow" | "down";
  readonly ms: number;
}
