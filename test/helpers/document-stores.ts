import type { Store } from "../../src/app.ts";
import type { RootHistory } from "../../src/kernel/root-history.ts";
import { filesStores } from "./files-stores.ts";
import { postgresStores } from "./postgres-stores.ts";
import type { WrittenRecords } from "./written-records.ts";

export interface RootToOpen {
  readonly name: string;
  readonly readOnly?: boolean;
  /** False for one that must be there: then it is. */
  readonly create?: boolean;
}

/** What is in a root, behind the back of whoever has it open. */
export interface RootContents {
  /** Puts documents there as somebody else would, under any name and with any bytes. */
  putAll(documents: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  bytes(path: string): Promise<Buffer | undefined>;
  /** Takes away what is at this path, or below it. */
  remove(path: string): Promise<void>;
  paths(): Promise<readonly string[]>;
}

/** A store with fresh roots; all of it goes with the test. */
export interface OpenedStore {
  readonly store: Store;
  /** Another client of the same documents, as another process is one. */
  another(): Store;
  contents(root: string): RootContents;
  /** All that is kept for these roots, documents or not, to be compared. */
  everything(): Promise<unknown>;
  history(root: string): RootHistory;
  /** What was recorded so far in a root, by any of its clients. */
  written(root: string): Promise<WrittenRecords>;
}

/** What documents can be kept in. */
export interface DocumentStores {
  readonly name: string;
  open(roots: readonly RootToOpen[]): Promise<OpenedStore>;
}

/** For `describe.each`: what a facade does must not depend on where its documents are (PG-1). */
export const documentStores: readonly DocumentStores[] = [filesStores, postgresStores];

/** One root in the one, another in the other, and the reverse. */
export const mixedStores = [
  { one: filesStores, other: postgresStores },
  { one: postgresStores, other: filesStores },
] as const;

/** Roots that are kept in different stores. */
export async function openRoots(storesOf: (root: string) => DocumentStores, roots: readonly RootToOpen[]) {
  const byStores = new Map<DocumentStores, OpenedStore>();
  for (const [stores, own] of Map.groupBy(roots, ({ name }) => storesOf(name)))
    byStores.set(stores, await stores.open(own));
  const openedOf = (root: string): OpenedStore => {
    const opened = byStores.get(storesOf(root));
    if (!opened) throw new Error(`“${root}” is not open`);
    return opened;
  };
  return {
    storeOf: (root: string) => openedOf(root).store,
    contents: (root: string) => openedOf(root).contents(root),
    history: (root: string) => openedOf(root).history(root),
  };
}

/** The contents of a root as tests speak of them. */
export function inRoot({ contents }: Pick<OpenedStore, "contents">, root: string) {
  const { putAll, bytes, remove, paths } = contents(root);
  const text = async (path: string) => {
    const found = await bytes(path);
    if (!found) throw new Error(`there is no “${path}” in “${root}”`);
    return found.toString("utf8");
  };
  return {
    putAll,
    remove,
    paths,
    bytes,
    text,
    put: (path: string, content: string | Uint8Array) => putAll({ [path]: content }),
    has: async (path: string) => (await bytes(path)) !== undefined,
    /** Every document with its text. */
    all: async () => {
      const all: Record<string, string> = {};
      for (const path of await paths()) all[path] = await text(path);
      return all;
    },
  };
}

/** The same over several roots, by paths that begin with the name of theirs. */
export function inRoots(opened: Pick<OpenedStore, "contents">, roots: readonly string[]) {
  function at(path: string) {
    const [root] = roots.filter((one) => path.startsWith(`${one}/`)).toSorted((a, b) => b.length - a.length);
    if (root === undefined) throw new Error(`“${path}” is in no root`);
    return { root, inside: path.slice(root.length + 1), ...inRoot(opened, root) };
  }
  return {
    put: (path: string, content: string | Uint8Array) => at(path).put(at(path).inside, content),
    putAll: async (documents: Readonly<Record<string, string | Uint8Array>>) => {
      for (const [root, own] of Map.groupBy(Object.entries(documents), ([path]) => at(path).root)) {
        const inside = own.map(([path, content]) => [path.slice(root.length + 1), content] as const);
        await inRoot(opened, root).putAll(Object.fromEntries(inside));
      }
    },
    text: (path: string) => at(path).text(at(path).inside),
    has: (path: string) => at(path).has(at(path).inside),
    /** Every document with its text. */
    all: async () => {
      const all: Record<string, string> = {};
      for (const root of roots) {
        for (const [path, text] of Object.entries(await inRoot(opened, root).all())) all[`${root}/${path}`] = text;
      }
      return all;
    },
  };
}
