import type { DocumentPath, ExistingPath } from "./document-path.ts";
import type { Rev } from "./revision.ts";

/** Where a document lies: the name of a root, and a path inside it. */
export interface Address<Path extends ExistingPath = ExistingPath> {
  readonly root: string;
  readonly path: Path;
}

declare const resolved: unique symbol;

/**
 * A place as it is at the beginning of an operation: its path was checked, and its root is the innermost one that holds
 * it. `Store.resolve` makes it; a store takes no other (`toResolved`), parses nothing and asks nothing again.
 */
export type Resolved<Path extends ExistingPath = ExistingPath> = Address<Path> & { readonly [resolved]: true };

/** A document as it was read. */
export interface StoredDocument {
  readonly content: string;
  readonly rev: Rev;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Whether its file has another name elsewhere, by which it can change. */
  readonly isShared?: boolean;
}

/** A document as it is told from outside, without its content. */
export interface MeasuredDocument {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Where it is known without reading it. */
  readonly rev?: Rev;
}

/** One change of a commit. Parents are made as needed; a move never overwrites. */
export type Change =
  | { readonly kind: "put"; readonly at: Address<DocumentPath>; readonly content: string }
  | { readonly kind: "append"; readonly at: Address<DocumentPath>; readonly content: string }
  | { readonly kind: "remove"; readonly at: Address }
  | { readonly kind: "move"; readonly from: Address; readonly to: Address<DocumentPath> };

export type ChangeKind = Change["kind"];

/** Who did it and why, stamped by the server that does it. The store adds the time. */
export interface Stamp {
  readonly author: string;
  readonly run?: string;
  readonly reason?: string;
}

/** What a document is after a commit; `rev` is undefined where it is gone. */
export interface Outcome {
  readonly at: Address;
  readonly rev: Rev | undefined;
  readonly was: Rev | undefined;
}

export interface Committed {
  readonly kind: "committed";
  readonly outcomes: readonly Outcome[];
}

/** The documents of a commit as they are while its locks are held. */
export type Current = (at: Address) => StoredDocument | undefined;

/** What a plan returns: changes, or a reason for none: a word, or a thing with a kind. */
export type Planning = readonly Change[] | string | { readonly kind: string };

/** What a plan returned that is not a list of changes. */
export type RefusalOf<Planned> = Exclude<Planned, readonly Change[]>;

export interface ListRequest {
  readonly root: string;
  /** Only documents below this folder. */
  readonly folder?: ExistingPath;
  /** Only paths after this one, in the order of `comparePaths`. */
  readonly after?: string;
  readonly limit: number;
  /** Also size, time and revision, which costs a read of each document on the page. */
  readonly details?: boolean;
}

export interface ListEntry {
  readonly path: ExistingPath;
  /** The root that owns the document: another than the one asked where roots overlap. */
  readonly owner: string;
  /** Why this is not an ordinary document: a rule of KER-1 that its name breaks, or what it is instead. */
  readonly remark?: string;
  readonly details?: { readonly size: number; readonly modified: number; readonly rev: Rev | undefined };
}

export interface ListPage {
  readonly entries: readonly ListEntry[];
  /** Pass it as `after` for the next page; undefined at the end. */
  readonly next: string | undefined;
}

export interface BrowseRequest {
  readonly root: string;
  /** The root itself where none is given. */
  readonly folder?: ExistingPath;
}

/** The direct children of one folder, as paths from the root that was asked, each list in the order of `comparePaths`. */
export interface FolderListing {
  readonly folders: readonly ExistingPath[];
  readonly files: readonly ExistingPath[];
}

export interface RecentRequest {
  readonly root: string;
  readonly limit: number;
  /** Only documents directly in these folders, "" for the root's own: spares whoever knows them another walk. */
  readonly folders?: readonly (ExistingPath | "")[];
}

export interface RecentDocument {
  readonly path: ExistingPath;
  /** When it was changed, as ISO 8601 in UTC. */
  readonly time: string;
}

export interface RecoveryReport {
  /** Multi-document commits that were carried to their end. */
  readonly completed: number;
  /** Leftovers of operations that had not been acknowledged. */
  readonly discarded: number;
}

/**
 * What keeps the documents of one or more roots. One contract, one contract test (test/contract);
 * it says nothing about files, so that a database can keep it as well.
 */
export interface Store {
  readonly roots: readonly string[];

  /** Checks a path, and finds the innermost root that holds it. Throws INVALID_PATH, NOT_FOUND, NOT_A_DOCUMENT. */
  resolve(at: Address): Resolved;

  read(at: Resolved): Promise<StoredDocument | undefined>;
  list(request: ListRequest): Promise<ListPage>;

  /**
   * A document without its content, and the same refusals as `read`, as far as they can be told from its beginning.
   * A store that has to read a document for that leaves this out.
   */
  measure?(at: Resolved): Promise<MeasuredDocument | undefined>;

  /**
   * One folder as a person sees it: dot files and names that KER-1 refuses too; no links, no special files,
   * no reserved folders. Undefined where it does not exist. A store may know no empty folders.
   */
  browse(request: BrowseRequest): Promise<FolderListing | undefined>;

  /**
   * The documents of a root that were changed last through a store, newest first. Best effort, and cheap: no
   * document is read. What was edited by hand, or changed before history took the records over, need not show.
   */
  recent(request: RecentRequest): Promise<readonly RecentDocument[]>;

  /**
   * The one way to change anything. Locks the given addresses, hands their current state to `plan`,
   * and applies what it returns: all of it or none of it, durable before the answer. Each change is
   * recorded with its stamp, and what it supersedes is kept for history. Where `plan` returns
   * something else than a list of changes, nothing is written and that is the answer.
   * `plan` must be quick and free of side effects; it may run more than once.
   */
  commit<Planned extends Planning>(
    addresses: readonly Resolved[],
    plan: (current: Current) => Planned,
    stamp: Stamp,
  ): Promise<Committed | RefusalOf<Planned>>;

  /**
   * Brings to its end what killed processes left behind, everywhere or below one folder. Not needed for
   * what is touched anyway: whoever works in a place ends what was cut off there first. Safe beside live processes.
   */
  recover(scope?: { readonly root: string; readonly folder?: ExistingPath }): Promise<RecoveryReport>;

  close(): Promise<void>;
}
