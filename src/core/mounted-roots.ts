import {
  type DocumentPath,
  type ExistingPath,
  maxKernelSegments,
  parseDocumentPath,
  parseExistingPath,
} from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import { assertAllowed, type Operation, type RootPolicy } from "./root-policy.ts";
import type { Address, Store } from "./store.ts";

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

/** Which root a place belongs to, and what may be done there. Roots may lie in each other; the innermost one counts. */
export interface MountedRoots {
  /** The root that somebody names; one that is hidden is none. */
  mounted(name: string): MountedRoot;
  /** The root that owns something, whether or not the caller may know of it. One that only a store knows is hidden. */
  owning(name: string): OwningRoot;
  /** Whether a place in a root that somebody names belongs to one that is hidden. */
  isHidden(at: Address): boolean;
  /** The root that owns what lies in a folder; the folder itself may be that root. */
  owningFolder(root: string, folder: ExistingPath | undefined): OwningRoot;
  /** The canonical address, after asking the policy of the innermost root. */
  allow<Path extends Address["path"]>(at: Address<Path>, operation: Operation): Address<Path>;
  isProtected(owner: Address): boolean;
  /** With a name by the rules of the root that owns it. */
  named(at: Address<DocumentPath>): Address<DocumentPath>;
  /** The store of all of them; throws where there are several. */
  oneStore(addresses: readonly Address[]): Store;
}

export function createMountedRoots(given: readonly MountedRoot[]): MountedRoots {
  const roots = new Map(given.map((root) => [root.name, root]));
  if (roots.size !== given.length) {
    throw new RecollectError("INVALID_ARGUMENT", "Two roots have the same name. Give each root a name of its own.");
  }

  function mounted(name: string): MountedRoot {
    const root = roots.get(name);
    if (!root || root.isHidden) throw noRoot(name);
    return root;
  }

  function owning(name: string): OwningRoot {
    return roots.get(name) ?? { name, policy: new Set(), isHidden: true };
  }

  function isHidden(at: Address): boolean {
    return owning(mounted(at.root).store.ownerOf(at).root).isHidden === true;
  }

  function isProtected(owner: Address): boolean {
    return owning(owner.root).protects?.(owner.path) ?? false;
  }

  return {
    mounted,
    owning,
    isHidden,
    isProtected,
    owningFolder: (root, folder) => {
      if (folder === undefined) return mounted(root);
      const inside = `${parseExistingPath(folder)}/_` as ExistingPath;
      return owning(mounted(root).store.ownerOf({ root, path: inside }).root);
    },
    allow: <Path extends Address["path"]>(at: Address<Path>, operation: Operation) => {
      const owner = mounted(at.root).store.ownerOf(at);
      if (isHidden(at)) {
        const data = { root: at.root, operation };
        throw new RecollectError("NOT_ALLOWED", `“${at.root}” does not allow ${operation} in this place.`, { data });
      }
      assertAllowed(mounted(owner.root).policy, operation, owner.root);
      if (operation !== "read" && operation !== "list" && isProtected(owner)) throw protectedError(owner);
      return owner as Address<Path>;
    },
    // The brand is a promise of the type system alone; a caller in plain JavaScript never made it.
    named: (at) => {
      const { naming, store } = mounted(at.root);
      if (naming !== "any") return { root: at.root, path: parseDocumentPath(at.path, maxKernelSegments) };
      const owner = store.ownerOf({ root: at.root, path: parseExistingPath(at.path) });
      // Whose it is would tell of a root that does not exist for the caller; it is refused by the name that was given.
      if (owning(owner.root).isHidden) return at;
      if (owning(owner.root).naming === "any") return owner as Address<DocumentPath>;
      return { root: owner.root, path: parseDocumentPath(owner.path, maxKernelSegments) };
    },
    oneStore: (addresses) => {
      const stores = new Set(addresses.map((at) => mounted(at.root).store));
      const [store] = stores;
      if (store && stores.size === 1) return store;
      throw severalStores(addresses);
    },
  };
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
