import { type Conflict, type Expectation, isChanges, meets } from "./conflict.ts";
import { type ContentGuard, toGuarded } from "./content-guard.ts";
import type { DocumentPath, ExistingPath } from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import { assertAllowed, createMountedRoots, type Located, type MountedRoot } from "./mounted-roots.ts";
import type { Operation } from "./root-policy.ts";
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
  Resolved,
  Stamp,
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
  /**
   * Checks an address, and finds the innermost root that holds it and its path there. What takes an address takes this one
   * as well, and does not resolve it again.
   */
  resolve<Path extends ExistingPath>(at: Address<Path>): Resolved<Path>;
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
  commit<Planned extends Planning>(
    addresses: readonly Address[],
    plan: (current: Current) => Planned,
    stamp: Stamp,
  ): Promise<Committed | RefusalOf<Planned>>;
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
  committed?: ((outcomes: readonly Outcome[], stamp: Stamp) => void | Promise<void>) | undefined;
}): Documents {
  const limits = { ...defaultLimits, ...options.limits };
  const { mounted, owning, locate, addressOf, isProtected, owningFolder, allow, assertNamed, oneStore } =
    createMountedRoots(options.roots);

  /** The change at its canonical addresses, where names and policies allow it. */
  function allowChange(change: Change, placeOf: (at: Address) => Located): Change {
    const named = (at: Address, operation: Operation) => {
      const place = placeOf(at);
      assertNamed(place);
      return allow(place, operation) as Resolved<DocumentPath>;
    };
    switch (change.kind) {
      case "put":
        return { ...change, at: named(change.at, "write") };
      case "append":
        return { ...change, at: named(change.at, "append") };
      case "remove":
        return { ...change, at: allow(placeOf(change.at), "delete") };
      case "move":
        return { kind: "move", from: allow(placeOf(change.from), "move"), to: named(change.to, "write") };
    }
  }

  /** Asked of every change: a document that is not there yet is made by it. A plan cannot wait, so this is found before. */
  async function assertionOfMaking(addresses: readonly Address[]): Promise<(change: Change, current: Current) => void> {
    const refusals = new Map<string, RecollectError>();
    for (const at of options.refusesNew ? addresses : []) {
      const refusal = await options.refusesNew?.(at);
      if (refusal) refusals.set(keyOf(at), refusal);
    }
    return (change, current) => {
      if (change.kind === "remove") return;
      const at = change.kind === "move" ? change.to : change.at;
      const refusal = refusals.get(keyOf(at));
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

  function assertClean(changes: readonly Change[], current: Current, guard: ContentGuard | undefined): void {
    if (!guard) return;
    const guarded = toGuarded(changes, current, ({ root }) => !mounted(root).isUnguarded);
    if (guarded.length > 0) guard(guarded);
  }

  /**
   * The one door for changes: whatever the plan returns passes names, policies, limits and the guard here. The plan sees
   * the documents whether or not the caller may read them.
   */
  async function commitAt<Planned extends Planning>(
    places: readonly Located[],
    plan: (current: (place: Located) => StoredDocument | undefined, placeOf: (at: Address) => Located) => Planned,
    { stamp, addsNothing = false }: { readonly stamp: Stamp; readonly addsNothing?: boolean },
  ): Promise<Committed | RefusalOf<Planned>> {
    const addresses = places.map(({ at }) => at);
    const known = new Map([
      // The canonical address of a hidden one is none that the caller may know of.
      ...places
        .filter(({ owner }) => !owner.isHidden)
        .map((place) => [keyOf(place.at), { ...place, asked: place.at }] as const),
      ...places.map((place) => [keyOf(place.asked), place] as const),
    ]);
    const placeOf = (at: Address) => known.get(keyOf(at)) ?? locate(at);
    // What adds nothing must also work where the guard cannot be loaded.
    const guard = addsNothing ? undefined : await options.guard?.();
    const assertMakes = await assertionOfMaking(addsNothing ? [] : addresses);
    const result = (await oneStore(places).commit(
      addresses,
      (current): Change[] | RefusalOf<Planned> => {
        const planned = plan((place) => current(place.at), placeOf);
        if (!isChanges(planned)) return planned as RefusalOf<Planned>;
        const changes = planned.map((change) => {
          const allowed = allowChange(change, placeOf);
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
    if (isCommitted(result)) await options.committed?.(result.outcomes, stamp);
    return result;
  }

  async function commit<Planned extends Planning>(
    addresses: readonly Address[],
    plan: (current: Current) => Planned,
    stamp: Stamp,
  ): Promise<Committed | RefusalOf<Planned>> {
    return commitAt(
      addresses.map(locate),
      (currentAt, placeOf) =>
        plan((at) => {
          const place = placeOf(at);
          if (place.owner.isHidden) return undefined;
          allow(place, "read");
          return currentAt(place);
        }),
      { stamp },
    );
  }

  async function changeOne(change: Change, stamp: Stamp, expected: Expectation): Promise<ChangeResult | undefined> {
    const [subject, target] = change.kind === "move" ? [change.from, change.to] : [change.at, undefined];
    const place = locate(subject);
    // Before the target is looked at: a refusal tells nothing of it.
    if (target) allow(place, "move");
    const targetPlace = target && locate(target);
    // Before anything is locked or read.
    const allowed = allowChange(change, (at) => (at === subject ? place : (targetPlace as Located)));
    if (allowed.kind === "put") assertFits(allowed.content, undefined);
    const result = await commitAt(
      targetPlace ? [place, targetPlace] : [place],
      (current): Change[] | Conflict | "missing" => {
        const before = current(place);
        if (!meets(expected, before?.rev)) return { kind: "conflict", at: place.at, current: before?.rev };
        if (!before && (allowed.kind === "remove" || allowed.kind === "move")) return "missing";
        const taken = targetPlace && current(targetPlace);
        if (taken) return { kind: "conflict", at: targetPlace.at, current: taken.rev };
        return [allowed];
      },
      { stamp, addsNothing: allowed.kind === "remove" },
    );
    if (result === "missing") return undefined;
    if (result.kind === "conflict") return result;
    const [outcome] = result.outcomes;
    if (!outcome) throw new RecollectError("STORAGE_FAILED", "The store acknowledged nothing.");
    return { kind: "committed", outcome };
  }

  /** The answer to a caller who wants to take away what does not exist for them; undefined where there is something. */
  function hiddenAnswer(at: Address, operation: Operation, expected: Expectation): Conflict | "missing" | undefined {
    if (!locate(at).owner.isHidden) return undefined;
    assertAllowed(mounted(at.root).policy, operation, at.root);
    return meets(expected, undefined) ? "missing" : { kind: "conflict", at, current: undefined };
  }

  async function write(change: Change, stamp: Stamp, expected: Expectation = {}): Promise<ChangeResult> {
    const result = await changeOne(change, stamp, expected);
    if (!result) throw new RecollectError("STORAGE_FAILED", "The store acknowledged nothing.");
    return result;
  }

  async function takeAway(
    change: Change & { readonly kind: "remove" | "move" },
    stamp: Stamp,
    expected: Expectation,
  ): Promise<ChangeResult | undefined> {
    const [at, operation] = change.kind === "move" ? [change.from, "move" as const] : [change.at, "delete" as const];
    const hidden = hiddenAnswer(at, operation, expected);
    if (hidden) return hidden === "missing" ? undefined : hidden;
    return changeOne(change, stamp, expected);
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
    resolve: <Path extends ExistingPath>(at: Address<Path>) => addressOf(locate(at)) as Resolved<Path>,
    isHidden: (at) => locate(at).owner.isHidden === true,
    isProtected: (at) => isProtected(locate(at)),
    isTogether: (one, other) => mounted(one.root).store === mounted(other.root).store,
    read: async (at) => {
      const place = locate(at);
      return place.owner.isHidden ? undefined : place.store.read(allow(place, "read"));
    },
    measure: async (at) => {
      const place = locate(at);
      if (place.owner.isHidden) return undefined;
      // Size and time tell of the content.
      const allowed = allow(place, "read");
      const { store } = place;
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
    remove: async (at, stamp, expected = {}) => takeAway({ kind: "remove", at }, stamp, expected),
    move: async (from, to, stamp, expected = {}) => takeAway({ kind: "move", from, to }, stamp, expected),
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

function keyOf({ root, path }: Address): string {
  return `${root}\0${path}`;
}
