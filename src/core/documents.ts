import { type Conflict, type Expectation, meets } from "./conflict.ts";
import {
  type DocumentPath,
  type ExistingPath,
  maxKernelSegments,
  parseDocumentPath,
  parseExistingPath,
} from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import { assertAllowed, type Operation, type RootPolicy } from "./root-policy.ts";
import type {
  Address,
  BrowseRequest,
  Change,
  Committed,
  Current,
  FolderListing,
  ListEntry,
  ListPage,
  ListRequest,
  Outcome,
  Planning,
  RecentDocument,
  RecentRequest,
  RecoveryReport,
  RefusalOf,
  Stamp,
  Store,
  StoredDocument,
} from "./store.ts";

export interface MountedRoot {
  readonly name: string;
  readonly policy: RootPolicy;
  readonly store: Store;
  /** "any" for files that are not ours to name, such as a project's own: they take KER-2, not KER-1. */
  readonly naming?: "any";
  /** Documents that nobody changes through us, whatever the policy says. Paths are those of this root. */
  readonly protects?: (path: ExistingPath) => boolean;
  /** True for what is no memory, such as the project's own files: the guard does not look at it. */
  readonly isUnguarded?: boolean;
  /** True for what does not exist as far as the caller can tell, also where it lies in another root (WEB-2). */
  readonly isHidden?: boolean;
}

/** What a write makes of a document, for somebody who may refuse it. */
export interface GuardedChange {
  readonly at: Address;
  /** The path under which it is kept now; undefined for a new one. */
  readonly nameBefore: string | undefined;
  readonly before: string;
  /** Empty where it is taken away. */
  readonly after: string;
}

/**
 * Throws where an operation adds what must not be stored (GUARD-1). It sees all documents of the operation at once,
 * since moving a text from one to another adds nothing. Asked with the locks held: it must be quick.
 */
export type ContentGuard = (changes: readonly GuardedChange[]) => void;

export interface Limits {
  readonly documentBytes: number;
  readonly pageEntries: number;
}

export const defaultLimits: Limits = { documentBytes: 1024 * 1024, pageEntries: 1000 };

export type ChangeResult = { readonly kind: "committed"; readonly outcome: Outcome } | Conflict;

/**
 * The kernel as facades and surfaces see it: every operation passes the policy of the root that owns
 * the place, the size limit and the naming rules here and nowhere else, then reaches the store.
 */
export interface Documents {
  /** The innermost root that holds this place, and its path there. */
  ownerOf(at: Address): Address;
  /** Whether it may not be changed, whatever its root allows. */
  isProtected(at: Address): boolean;
  read(at: Address): Promise<StoredDocument | undefined>;
  list(request: Omit<ListRequest, "limit"> & { limit?: number }): Promise<ListPage>;
  /** See `Store.browse`. */
  browse(request: BrowseRequest): Promise<FolderListing | undefined>;
  /** See `Store.recent`. */
  recent(request: RecentRequest): Promise<readonly RecentDocument[]>;
  write(at: Address<DocumentPath>, content: string, stamp: Stamp, expected?: Expectation): Promise<ChangeResult>;
  append(at: Address<DocumentPath>, content: string, stamp: Stamp, expected?: Expectation): Promise<ChangeResult>;
  remove(at: Address, stamp: Stamp, expected?: Expectation): Promise<ChangeResult | undefined>;
  /** Undefined where there is nothing to move; a conflict where the target exists. */
  move(
    from: Address,
    to: Address<DocumentPath>,
    stamp: Stamp,
    expected?: Expectation,
  ): Promise<ChangeResult | undefined>;
  /** Whether the guard would let a text be added to a document, for what is made of names that others gave. */
  accepts(at: Address, content: string): Promise<boolean>;
  /** Several documents as one operation; see `Store.commit`. */
  commit: Store["commit"];
  /** See `Store.recover`. */
  recover(scope: { readonly root: string; readonly folder?: ExistingPath }): Promise<RecoveryReport>;
}

export function createDocuments(options: {
  roots: readonly MountedRoot[];
  limits?: Partial<Limits>;
  /** Asked for with the first write, so that whoever only reads need not load it. */
  guard?: (() => Promise<ContentGuard>) | undefined;
  /** Told of what was changed, for whoever follows it; the change is done whatever becomes of that. */
  committed?: ((outcomes: readonly Outcome[]) => void) | undefined;
}): Documents {
  const limits = { ...defaultLimits, ...options.limits };
  const roots = new Map(options.roots.map((root) => [root.name, root]));
  if (roots.size !== options.roots.length) {
    throw new RecollectError("INVALID_ARGUMENT", "Two roots have the same name. Give each root a name of its own.");
  }

  /** The root that somebody names. */
  function mounted(name: string): MountedRoot {
    const root = owning(name);
    if (root.isHidden) throw noRoot(name);
    return root;
  }

  /** The root that owns a place, whether or not the caller may know of it. */
  function owning(name: string): MountedRoot {
    const root = roots.get(name);
    if (!root) throw noRoot(name);
    return root;
  }

  function isHidden(at: Address): boolean {
    return owning(mounted(at.root).store.ownerOf(at).root).isHidden === true;
  }

  /** The canonical address, after asking the policy of the innermost root. */
  function allow<Path extends Address["path"]>(at: Address<Path>, operation: Operation): Address<Path> {
    const owner = mounted(at.root).store.ownerOf(at);
    if (isHidden(at)) {
      const data = { root: at.root, operation };
      throw new RecollectError("NOT_ALLOWED", `“${at.root}” does not allow ${operation} in this place.`, { data });
    }
    assertAllowed(mounted(owner.root).policy, operation, owner.root);
    if (operation !== "read" && operation !== "list" && isProtected(owner)) throw protectedError(owner);
    return owner as Address<Path>;
  }

  function isProtected(owner: Address): boolean {
    return owning(owner.root).protects?.(owner.path) ?? false;
  }

  function allowChange(change: Change): Change {
    switch (change.kind) {
      case "put":
        return { ...change, at: allow(named(change.at), "write") };
      case "append":
        return { ...change, at: allow(named(change.at), "append") };
      case "remove":
        return { ...change, at: allow(change.at, "delete") };
      case "move":
        return { kind: "move", from: allow(change.from, "move"), to: allow(named(change.to), "write") };
    }
  }

  /** The brand is a promise of the type system alone; a caller in plain JavaScript never made it. */
  function named(at: Address<DocumentPath>): Address<DocumentPath> {
    const { naming, store } = mounted(at.root);
    if (naming !== "any") return { root: at.root, path: parseDocumentPath(at.path, maxKernelSegments) };
    const owner = store.ownerOf({ root: at.root, path: parseExistingPath(at.path) });
    if (owning(owner.root).naming === "any") return owner as Address<DocumentPath>;
    return { root: owner.root, path: parseDocumentPath(owner.path, maxKernelSegments) };
  }

  /** The root that owns what lies in a folder; the folder itself may be that root. */
  function ownerOfFolder(root: string, folder: ExistingPath | undefined): string {
    if (folder === undefined) return root;
    return mounted(root).store.ownerOf({ root, path: `${parseExistingPath(folder)}/_` as ExistingPath }).root;
  }

  function assertFits(content: string, before: string | undefined): void {
    if (typeof content !== "string" || !content.isWellFormed()) {
      throw new RecollectError("INVALID_CONTENT", "The content is not a well-formed Unicode text.");
    }
    const size = Buffer.byteLength(content) + (before === undefined ? 0 : Buffer.byteLength(before));
    if (size <= limits.documentBytes) return;
    throw new RecollectError(
      "TOO_LARGE",
      `The document would have ${size} bytes, over the limit of ${limits.documentBytes}. Split it, or raise the limit.`,
      { data: { size, limit: limits.documentBytes } },
    );
  }

  /** Every write passes here, whichever facade or surface it came through. */
  function assertClean(changes: readonly Change[], current: Current, guard: ContentGuard | undefined): void {
    if (!guard) return;
    // What comes from where nobody looked is new, also where it is only moved.
    const isGuarded = ({ root }: Address) => !mounted(root).isUnguarded;
    const textBefore = (at: Address) => (isGuarded(at) ? textAt(at, current) : "");
    const guarded = changes.map((change) => guardedOf(change, textBefore, current)).filter(({ at }) => isGuarded(at));
    if (guarded.length > 0) guard(guarded);
  }

  function oneStore(addresses: readonly Address[]): Store {
    const stores = new Set(addresses.map((at) => mounted(at.root).store));
    const [store] = stores;
    if (store && stores.size === 1) return store;
    throw new RecollectError("INVALID_ARGUMENT", "One operation works on the roots of one store.");
  }

  async function commit<Planned extends Planning>(
    addresses: readonly Address[],
    plan: (current: Current) => Planned,
    stamp: Stamp,
  ): Promise<Committed | RefusalOf<Planned>> {
    const store = oneStore(addresses);
    const canonical = addresses.map((at) => store.ownerOf(at));
    const guard = await options.guard?.();
    const result = (await store.commit(
      canonical,
      (current): Change[] | RefusalOf<Planned> => {
        const planned = plan((at) => (isHidden(at) ? undefined : current(allow(at, "read"))));
        if (!isChangeList(planned)) return planned as RefusalOf<Planned>;
        const changes = planned.map((change) => {
          const allowed = allowChange(change);
          if (allowed.kind === "put") assertFits(allowed.content, undefined);
          if (allowed.kind === "append") assertFits(allowed.content, current(allowed.at)?.content);
          return allowed;
        });
        assertClean(changes, current, guard);
        return changes;
      },
      stamp,
    )) as Committed | RefusalOf<Planned>;
    if (isCommitted(result)) options.committed?.(result.outcomes);
    return result;
  }

  async function changeOne(change: Change, stamp: Stamp, expected: Expectation): Promise<ChangeResult | undefined> {
    const allowed = allowChange(change);
    if (allowed.kind === "put") assertFits(allowed.content, undefined);
    const [subject, target] = allowed.kind === "move" ? [allowed.from, allowed.to] : [allowed.at, undefined];
    // A removal adds nothing, and must also work where the guard cannot be loaded.
    const guard = allowed.kind === "remove" ? undefined : await options.guard?.();
    const result = await oneStore(target ? [subject, target] : [subject]).commit(
      target ? [subject, target] : [subject],
      (current): Change[] | Conflict | "missing" => {
        const before = current(subject);
        if (!meets(expected, before?.rev)) return { kind: "conflict", at: subject, current: before?.rev };
        if (!before && (allowed.kind === "remove" || allowed.kind === "move")) return "missing";
        const taken = target && current(target);
        if (taken) return { kind: "conflict", at: target, current: taken.rev };
        if (allowed.kind === "append") assertFits(allowed.content, before?.content);
        assertClean([allowed], current, guard);
        return [allowed];
      },
      stamp,
    );
    if (result === "missing") return undefined;
    if (result.kind === "conflict") return result;
    options.committed?.(result.outcomes);
    const [outcome] = result.outcomes;
    if (!outcome) throw new RecollectError("STORAGE_FAILED", "The store acknowledged nothing.");
    return { kind: "committed", outcome };
  }

  /** What somebody is told who wants to take away what does not exist for them. */
  function nothingAt(at: Address, operation: Operation, expected: Expectation): Conflict | undefined {
    assertAllowed(mounted(at.root).policy, operation, at.root);
    return meets(expected, undefined) ? undefined : { kind: "conflict", at, current: undefined };
  }

  async function write(change: Change, stamp: Stamp, expected: Expectation = {}): Promise<ChangeResult> {
    const result = await changeOne(change, stamp, expected);
    if (!result) throw new RecollectError("STORAGE_FAILED", "The store acknowledged nothing.");
    return result;
  }

  /** Size, time and revision tell of the content. */
  function withAllowedDetails(entry: ListEntry): ListEntry {
    const { details: _, ...named } = entry;
    return owning(entry.owner).policy.has("read") ? entry : named;
  }

  function mayList(entry: ListEntry): boolean {
    return owning(entry.owner).policy.has("list");
  }

  return {
    // Whose it is would tell of a root that does not exist for the caller.
    ownerOf: (at) => (isHidden(at) ? at : mounted(at.root).store.ownerOf(at)),
    isProtected: (at) => isProtected(mounted(at.root).store.ownerOf(at)),
    read: async (at) => {
      if (isHidden(at)) return undefined;
      const allowed = allow(at, "read");
      return mounted(allowed.root).store.read(allowed);
    },
    list: async ({ limit, ...request }) => {
      const { store, policy } = mounted(request.root);
      assertAllowed(policy, "list", request.root);
      if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
        throw new RecollectError("INVALID_ARGUMENT", "The limit of a list is a whole number from 1.");
      }
      const page = await store.list({ ...request, limit: Math.min(limit ?? limits.pageEntries, limits.pageEntries) });
      return { ...page, entries: page.entries.filter(mayList).map(withAllowedDetails) };
    },
    browse: async ({ root, folder }) => {
      const owner = ownerOfFolder(root, folder);
      if (owning(owner).isHidden) return undefined;
      assertAllowed(mounted(owner).policy, "list", owner);
      const listing = await mounted(root).store.browse(folder === undefined ? { root } : { root, folder });
      if (!listing) return undefined;
      const folders = listing.folders.filter((path) => owning(ownerOfFolder(root, path)).policy.has("list"));
      return { folders, files: listing.files };
    },
    recent: async ({ root, limit, folders }) => {
      const { store, policy } = mounted(root);
      for (const operation of ["list", "read"] as const) assertAllowed(policy, operation, root);
      if (!(Number.isInteger(limit) && limit > 0)) {
        throw new RecollectError("INVALID_ARGUMENT", "The limit of recent documents is a whole number from 1.");
      }
      return store.recent({ root, limit: Math.min(limit, limits.pageEntries), ...(folders ? { folders } : {}) });
    },
    write: (at, content, stamp, expected) => write({ kind: "put", at, content }, stamp, expected),
    append: (at, content, stamp, expected) => write({ kind: "append", at, content }, stamp, expected),
    remove: async (at, stamp, expected = {}) =>
      isHidden(at) ? nothingAt(at, "delete", expected) : changeOne({ kind: "remove", at }, stamp, expected),
    move: async (from, to, stamp, expected = {}) =>
      isHidden(from) ? nothingAt(from, "move", expected) : changeOne({ kind: "move", from, to }, stamp, expected),
    accepts: async (at, content) => {
      const guard = mounted(at.root).isUnguarded ? undefined : await options.guard?.();
      try {
        guard?.([{ at, nameBefore: at.path, before: "", after: content }]);
        return true;
      } catch (error) {
        if (error instanceof RecollectError && error.code === "SENSITIVE_CONTENT") return false;
        throw error;
      }
    },
    commit,
    recover: async (scope) => mounted(scope.root).store.recover(scope),
  };
}

function noRoot(root: string): RecollectError {
  return new RecollectError("NOT_FOUND", `There is no root “${root}”.`, { data: { root } });
}

function protectedError({ root, path }: Address): RecollectError {
  return new RecollectError("READ_ONLY", `“${path}” is read-only here.`, { data: { root, path } });
}

function guardedOf(change: Change, textBefore: (at: Address) => string, current: Current): GuardedChange {
  switch (change.kind) {
    case "remove":
      return { at: change.at, nameBefore: change.at.path, before: textBefore(change.at), after: "" };
    case "move": {
      const { from, to } = change;
      return { at: to, nameBefore: from.path, before: textBefore(from), after: textAt(from, current) };
    }
    case "put":
    case "append": {
      const { at, content } = change;
      const after = change.kind === "append" ? textAt(at, current) + content : content;
      return { at, nameBefore: isThere(at, current) ? at.path : undefined, before: textBefore(at), after };
    }
  }
}

function isThere(at: Address, current: Current): boolean {
  try {
    return current(at) !== undefined;
  } catch (error) {
    if (error instanceof RecollectError && error.code === "NOT_UTF8") return true;
    throw error;
  }
}

/** What is no text holds nothing that a guard could know. */
function textAt(at: Address, current: Current): string {
  try {
    return current(at)?.content ?? "";
  } catch (error) {
    if (error instanceof RecollectError && error.code === "NOT_UTF8") return "";
    throw error;
  }
}

function isCommitted(result: unknown): result is Committed {
  return typeof result === "object" && result !== null && "kind" in result && result.kind === "committed";
}

function isChangeList(planned: unknown): planned is readonly Change[] {
  return Array.isArray(planned);
}
