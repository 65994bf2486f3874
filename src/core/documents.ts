import { type Conflict, type Expectation, meets } from "./conflict.ts";
import { type ContentGuard, toGuarded } from "./content-guard.ts";
import type { DocumentPath, ExistingPath } from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import { createMountedRoots, type MountedRoot } from "./mounted-roots.ts";
import { assertAllowed, type Operation } from "./root-policy.ts";
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
  MeasuredDocument,
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
  /** Whether it belongs to a root that does not exist for the caller, in one that does. */
  isHidden(at: Address): boolean;
  /** Whether it may not be changed, whatever its root allows. */
  isProtected(at: Address): boolean;
  /** Whether one operation can change both: they are kept in the same store. */
  isTogether(one: Address, other: Address): boolean;
  read(at: Address): Promise<StoredDocument | undefined>;
  /** See `Store.measure`. */
  measure(at: Address): Promise<MeasuredDocument | undefined>;
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
  /** Why a document may not be made at a canonical address, although one that is there may be changed; else undefined. */
  refusesNew?: ((at: Address) => Promise<RecollectError | undefined>) | undefined;
  /** Told of what was changed, for whoever follows it; the change is done whatever becomes of that. Waited for. */
  committed?: ((outcomes: readonly Outcome[]) => void | Promise<void>) | undefined;
}): Documents {
  const limits = { ...defaultLimits, ...options.limits };
  const { mounted, owning, isHidden, isProtected, owningFolder, allow, named, oneStore } = createMountedRoots(
    options.roots,
  );

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

  /** Asked of every change: a document that is not there yet is made by it. A plan cannot wait, so this is found before. */
  async function assertionOfMaking(addresses: readonly Address[]): Promise<(change: Change, current: Current) => void> {
    const refusals = new Map<string, RecollectError>();
    for (const at of options.refusesNew ? addresses : []) {
      const refusal = await options.refusesNew?.(at);
      if (refusal) refusals.set(`${at.root}/${at.path}`, refusal);
    }
    return (change, current) => {
      if (change.kind === "remove") return;
      const at = change.kind === "move" ? change.to : change.at;
      const refusal = refusals.get(`${at.root}/${at.path}`);
      if (refusal && !current(at)) throw refusal;
    };
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
    const guarded = toGuarded(changes, current, ({ root }) => !mounted(root).isUnguarded);
    if (guarded.length > 0) guard(guarded);
  }

  async function commit<Planned extends Planning>(
    addresses: readonly Address[],
    plan: (current: Current) => Planned,
    stamp: Stamp,
  ): Promise<Committed | RefusalOf<Planned>> {
    const store = oneStore(addresses);
    const canonical = addresses.map((at) => store.ownerOf(at));
    const guard = await options.guard?.();
    const assertMakes = await assertionOfMaking(canonical);
    const result = (await store.commit(
      canonical,
      (current): Change[] | RefusalOf<Planned> => {
        const planned = plan((at) => (isHidden(at) ? undefined : current(allow(at, "read"))));
        if (!isChangeList(planned)) return planned as RefusalOf<Planned>;
        const changes = planned.map((change) => {
          const allowed = allowChange(change);
          assertMakes(allowed, current);
          if (allowed.kind === "put") assertFits(allowed.content, undefined);
          if (allowed.kind === "append") assertFits(allowed.content, current(allowed.at)?.content);
          return allowed;
        });
        assertClean(changes, current, guard);
        return changes;
      },
      stamp,
    )) as Committed | RefusalOf<Planned>;
    if (isCommitted(result)) await options.committed?.(result.outcomes);
    return result;
  }

  async function changeOne(change: Change, stamp: Stamp, expected: Expectation): Promise<ChangeResult | undefined> {
    const allowed = allowChange(change);
    if (allowed.kind === "put") assertFits(allowed.content, undefined);
    const [subject, target] = allowed.kind === "move" ? [allowed.from, allowed.to] : [allowed.at, undefined];
    // A removal adds nothing, and must also work where the guard cannot be loaded.
    const guard = allowed.kind === "remove" ? undefined : await options.guard?.();
    const addresses = target ? [subject, target] : [subject];
    const assertMakes = await assertionOfMaking(allowed.kind === "remove" ? [] : addresses);
    const result = await oneStore(addresses).commit(
      addresses,
      (current): Change[] | Conflict | "missing" => {
        const before = current(subject);
        if (!meets(expected, before?.rev)) return { kind: "conflict", at: subject, current: before?.rev };
        if (!before && (allowed.kind === "remove" || allowed.kind === "move")) return "missing";
        const taken = target && current(target);
        if (taken) return { kind: "conflict", at: target, current: taken.rev };
        assertMakes(allowed, current);
        if (allowed.kind === "append") assertFits(allowed.content, before?.content);
        assertClean([allowed], current, guard);
        return [allowed];
      },
      stamp,
    );
    if (result === "missing") return undefined;
    if (result.kind === "conflict") return result;
    await options.committed?.(result.outcomes);
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
    if (owning(entry.owner).policy.has("read")) return entry;
    const { details: _, ...named } = entry;
    return named;
  }

  function mayList(entry: ListEntry): boolean {
    return owning(entry.owner).policy.has("list");
  }

  return {
    ownerOf: (at) => {
      const owner = mounted(at.root).store.ownerOf(at);
      // Whose it is would tell of a root that does not exist for the caller.
      return owning(owner.root).isHidden ? at : owner;
    },
    isHidden,
    isProtected: (at) => isProtected(mounted(at.root).store.ownerOf(at)),
    isTogether: (one, other) => mounted(one.root).store === mounted(other.root).store,
    read: async (at) => {
      if (isHidden(at)) return undefined;
      const allowed = allow(at, "read");
      return mounted(allowed.root).store.read(allowed);
    },
    measure: async (at) => {
      if (isHidden(at)) return undefined;
      // Size and time tell of the content.
      const allowed = allow(at, "read");
      const { store } = mounted(allowed.root);
      return store.measure ? store.measure(allowed) : measured(await store.read(allowed));
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
      const owner = owningFolder(root, folder);
      if (owner.isHidden) return undefined;
      assertAllowed(owner.policy, "list", owner.name);
      const listing = await mounted(root).store.browse(folder === undefined ? { root } : { root, folder });
      if (!listing) return undefined;
      const folders = listing.folders.filter((path) => owningFolder(root, path).policy.has("list"));
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

function measured(document: StoredDocument | undefined): MeasuredDocument | undefined {
  return document && { size: Buffer.byteLength(document.content), modified: document.modified, rev: document.rev };
}

function isCommitted(result: unknown): result is Committed {
  return typeof result === "object" && result !== null && "kind" in result && result.kind === "committed";
}

function isChangeList(planned: unknown): planned is readonly Change[] {
  return Array.isArray(planned);
}
