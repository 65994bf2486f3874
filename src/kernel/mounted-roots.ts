import { type ExistingPath, maxKernelSegments, parseDocumentPath, parseExistingPath } from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import type { Operation, RootPolicy } from "./root-policy.ts";
import type { Address, Resolved, Store } from "./store.ts";

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

type OwningRoot = Omit<MountedRoot, "store">;

/** Where something lies that a caller named, and which root owns it. */
export interface Located {
  readonly asked: Address;
  readonly at: Resolved;
  readonly owner: OwningRoot;
  readonly store: Store;
}

/** Which root a place belongs to, and what may be done there. Roots may lie in each other; the innermost one counts. */
export interface MountedRoots {
  /** The root of this name; one that is hidden is none. */
  mounted(name: string): MountedRoot;
  /** The root that owns something, whether or not the caller may know of it. One that only a store knows is hidden. */
  owning(name: string): OwningRoot;
  /** Resolves an address. One that came from `addressOf` was resolved before and is not resolved again. */
  locate(at: Address): Located;
  /** What the caller may know of a place: its canonical address, and in a hidden root the one that was asked for. */
  addressOf(place: Located): Resolved;
  /** The root that owns what lies in a folder; the folder itself may be that root. */
  owningFolder(root: string, folder: ExistingPath | undefined): OwningRoot;
  /** The canonical address, after asking the policy of the root that owns it. */
  allow(place: Located, operation: Operation): Resolved;
  isProtected(place: Located): boolean;
  /** Refuses a name that breaks the rules of the root that owns it. */
  assertNamed(place: Located): void;
  /** The store of all of them; throws where there are several. */
  oneStore(places: readonly Located[]): Store;
}

export function createMountedRoots(given: readonly MountedRoot[]): MountedRoots {
  const roots = new Map(given.map((root) => [root.name, root]));
  if (roots.size !== given.length) {
    throw new RecollectError("INVALID_ARGUMENT", "Two roots have the same name. Give each root a name of its own.");
  }
  // By the very objects that were given out, so that no caller can make up a place.
  const givenOut = new WeakMap<Address, Located>();

  function mounted(name: string): MountedRoot {
    const root = roots.get(name);
    if (!root || root.isHidden) throw noRoot(name);
    return root;
  }

  function owning(name: string): OwningRoot {
    return roots.get(name) ?? { name, policy: new Set(), isHidden: true };
  }

  function locate(given: Address): Located {
    const known = givenOut.get(given);
    if (known) return known;
    // Read once: a caller in plain JavaScript may change the object while the operation waits.
    const asked = Object.freeze({ root: given.root, path: given.path });
    const { store } = mounted(asked.root);
    const at = store.resolve(asked);
    return { asked, at, owner: owning(at.root), store };
  }

  function isProtected({ at, owner }: Located): boolean {
    return owner.protects?.(at.path) ?? false;
  }

  return {
    mounted,
    owning,
    locate,
    addressOf: (place) => {
      // Whose it is would tell of a root that does not exist for the caller. No store takes what was asked for instead.
      const address = place.owner.isHidden ? (place.asked as Resolved) : place.at;
      givenOut.set(address, { ...place, asked: address });
      return address;
    },
    isProtected,
    owningFolder: (root, folder) => {
      if (folder === undefined) return mounted(root);
      const inside = `${parseExistingPath(folder)}/_` as ExistingPath;
      return owning(mounted(root).store.resolve({ root, path: inside }).root);
    },
    allow: (place, operation) => {
      const { asked, at, owner } = place;
      if (owner.isHidden) {
        const data = { root: asked.root, operation };
        throw new RecollectError("NOT_ALLOWED", `“${asked.root}” does not allow ${operation} in this place.`, { data });
      }
      assertAllowed(owner.policy, operation, at.root);
      if (operation !== "read" && operation !== "list" && isProtected(place)) throw protectedError(at);
      return at;
    },
    // The brand is a promise of the type system alone; a caller in plain JavaScript never made it.
    assertNamed: ({ asked, at, owner }) => {
      if (mounted(asked.root).naming !== "any") parseDocumentPath(asked.path, maxKernelSegments);
      // Whose it is would tell of a root that does not exist for the caller; it is refused by the name that was given.
      else if (!owner.isHidden && owner.naming !== "any") parseDocumentPath(at.path, maxKernelSegments);
    },
    oneStore: (places) => {
      const stores = new Set(places.map(({ store }) => store));
      const [store] = stores;
      if (store && stores.size === 1) return store;
      throw severalStores(places.map(({ asked }) => asked));
    },
  };
}

const changing: RootPolicy = new Set<Operation>(["write", "append", "delete", "move"]);

/** Throws READ_ONLY where nothing may be changed at all, NOT_ALLOWED where just this operation is missing. */
export function assertAllowed(policy: RootPolicy, operation: Operation, root: string): void {
  if (policy.has(operation)) return;
  const data = { root, operation };
  if (changing.has(operation) && changing.isDisjointFrom(policy)) {
    throw new RecollectError("READ_ONLY", `“${root}” is read-only: ${operation} is refused.`, { data });
  }
  throw new RecollectError(
    "NOT_ALLOWED",
    `“${root}” does not allow ${operation}; it allows ${[...policy].join(", ") || "nothing"}.`,
    { data },
  );
}

function noRoot(root: string): RecollectError {
  return new RecollectError("NOT_FOUND", `There is no root “${root}”.`, { data: { root } });
}

/** Nothing was begun: what two stores hold can never be changed as a whole. */
function severalStores(addresses: readonly Address[]): RecollectError {
  const roots = [...new Set(addresses.map(({ root }) => root))];
  const named = roots.map((root) => `“${root}”`).join(" and ");
  const says = `${named || "Nothing"} cannot be changed as one operation, since no one store keeps it. Change the one, then the other.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { roots } });
}

function protectedError({ root, path }: Address): RecollectError {
  return new RecollectError("READ_ONLY", `“${path}” is read-only here.`, { data: { root, path } });
}
