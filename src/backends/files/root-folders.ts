import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type ExistingPath, parseExistingPath, toResolved } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Address, Resolved } from "../../kernel/store.ts";
import { type Directory, makeChild, type OpenDirectory } from "./directory.ts";
import { notADocument } from "./document-file.ts";
import { makeWithoutLinks } from "./open-without-links.ts";
import { createRootHandle, type RootHandle } from "./root-handle.ts";
import { isSealed, seal, sealedDepth, sealedPart, sealedRoot } from "./sealed-places.ts";
import { assertSameSpelling, foldsCase } from "./spelling.ts";
import { hasCode, staleError, toStorageError } from "./storage-error.ts";

export interface RootFolderOptions {
  readonly name: string;
  readonly folder: string;
  /** False leaves a missing folder missing: then a write is refused. */
  readonly create?: boolean;
  /** True keeps the store itself from changing anything there, recovery included, whatever the policies above say. */
  readonly readOnly?: boolean;
  /** True for files that are no documents of ours, such as a project's own: no history, no auxiliary folder. */
  readonly plain?: boolean;
  /**
   * For the folder in which agents keep theirs: it is marked, so that no other store reaches into it. Told of its real
   * path each time that a store has opened it, before anything is written there.
   */
  readonly seals?: (realPath: string) => void;
}

/** A folder inside a root. */
export interface Place {
  readonly root: string;
  readonly segments: readonly string[];
}

/** The configured folders of a store: who owns what, and the only way in. */
export interface RootFolders {
  readonly names: readonly string[];
  /** See `Store.resolve`. */
  resolve(at: Address): Resolved;
  /**
   * Where the folder lies on disk: for working out how two places lie to each other. Who asks for more by it must take
   * care that another folder in its place does no harm.
   */
  realPath(place: Place): string;
  /** The place of a folder on disk, where it lies in one of the roots. */
  placeOf(realPath: string): Place | undefined;
  /**
   * Undefined where it does not exist. The caller closes it. Names that a listing has just given are spelled
   * as they are, and need not be compared with what the file system calls the same.
   */
  open(place: Place, spelling?: "listed"): Directory | undefined;
  /** Opens it, and durably makes what is missing. */
  make(place: Place, blocking: boolean): Promise<Directory>;
  isReadOnly(place: Place): boolean;
  isPlain(place: Place): boolean;
  /** The same folder as the innermost root has it. */
  owned(place: Place): Place;
  /** The folders in a root that others own, sorted, each ending in a slash. */
  innerFolders(root: string): readonly string[];
  /** Refuses a name that this file system would take for another, already given one. */
  assertSpelling(place: Place, folder: Directory, name: string): void;
  close(): void;
}

interface Root {
  readonly name: string;
  readonly realPath: string;
  readonly create: boolean;
  readonly readOnly: boolean;
  readonly plain: boolean;
  /** Until the folder is marked as one of agents. */
  seals: RootFolderOptions["seals"] | undefined;
  /** Undefined until the folder holds a name that tells. */
  foldsCase: boolean | undefined;
  readonly handle: RootHandle;
}

export function createRootFolders(options: readonly RootFolderOptions[], openDirectory: OpenDirectory): RootFolders {
  const roots = options.map((one) => toRoot(one, openDirectory));
  const byName = new Map(roots.map((root) => [root.name, root]));
  const innermostFirst = roots.toSorted((a, b) => b.realPath.length - a.realPath.length);
  const innerRoots = new Map(
    roots.map((root) => [root.name, innermostFirst.flatMap((inner) => prefixOf(root, inner))]),
  );
  if (new Set(roots.map((root) => root.realPath)).size < roots.length || byName.size < roots.length) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "Two roots have the same name or the same folder. Name each folder once.",
    );
  }

  function rootOf(name: string): Root {
    const root = byName.get(name);
    if (!root) throw new RecollectError("NOT_FOUND", `There is no root “${name}”.`, { data: { root: name } });
    return root;
  }

  function placeOf(realPath: string): Place | undefined {
    const root = innermostFirst.find((candidate) => contains(candidate.realPath, realPath));
    if (!root) return undefined;
    const inside = relative(root.realPath, realPath);
    return withSeal({ root: root.name, segments: inside === "" ? [] : inside.split(sep) });
  }

  /** The same place, as part of what agents keep for themselves where it lies in that. */
  function withSeal(place: Place): Place {
    const depth = sealedDepth(rootOf(place.root).realPath, place.segments);
    return depth === 0 ? place : { root: sealedRoot, segments: place.segments.slice(depth) };
  }

  function openRoot(root: Root): Directory | undefined {
    let folder: Directory | undefined;
    try {
      folder = root.handle.open();
      if (folder && root.seals) {
        seal(folder);
        root.seals(root.realPath);
        root.seals = undefined;
      }
      return folder;
    } catch (error) {
      folder?.close();
      throw folderError(error, [root.name]);
    }
  }

  function isFolding(root: Root, folder: Directory): boolean {
    root.foldsCase ??= foldsCase(folder);
    return root.foldsCase ?? false;
  }

  /** The sub-folder of `parent` that the place has at this depth. */
  function openChild(parent: Directory, place: Place, depth: number, spelling?: "listed"): Directory | undefined {
    const name = place.segments[depth] ?? "";
    try {
      // Asked first: an error after the opening would leave the child open.
      if (spelling !== "listed" && isFolding(rootOf(place.root), parent)) assertSameSpelling(parent, name);
      const child = parent.child(name);
      if (!isSealed(child, name)) return child;
      child.close();
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw folderError(error, place.segments.slice(0, depth + 1), parent);
    }
    throw sealedError();
  }

  async function makeFolder(parent: Directory, place: Place, depth: number, blocking: boolean): Promise<Directory> {
    const name = place.segments[depth] ?? "";
    try {
      await makeChild(parent, name, blocking);
    } catch (error) {
      throw makingError(error, place.segments.slice(0, depth + 1), parent);
    }
    // Another process may have made it just now, in another spelling.
    return openChild(parent, place, depth) ?? vanished();
  }

  function owned(place: Place): Place {
    if (place.root === sealedRoot) return place;
    const folder = `${place.segments.join("/")}/`;
    const inner = innerRoots.get(rootOf(place.root).name)?.find(({ prefix }) => folder.startsWith(prefix));
    if (!inner) return withSeal(place);
    const inside = folder.slice(inner.prefix.length, -1);
    return withSeal({ root: inner.root, segments: inside === "" ? [] : inside.split("/") });
  }

  const realPathOfPlace = (place: Place) => join(rootOf(place.root).realPath, ...place.segments);

  return {
    names: roots.map((root) => root.name),
    resolve: (at) => {
      const { root } = at;
      const path = parseExistingPath(at.path);
      if (root === sealedRoot) return toResolved(root, path);
      // Asked for each of ten thousand names: no text is made for it.
      const inner = innerRoots
        .get(rootOf(root).name)
        ?.find(({ prefix }) => path.startsWith(prefix) || isFolderOf(prefix, path));
      if (inner && isFolderOf(inner.prefix, path)) throw notADocument(path, "folder");
      const owner = inner
        ? { root: inner.root, path: path.slice(inner.prefix.length) as ExistingPath }
        : { root, path };
      const sealed = sealedPart(rootOf(owner.root).realPath, owner.path);
      if (sealed === undefined) return toResolved(owner.root, owner.path);
      return toResolved(sealedRoot, (owner.path.slice(sealed.length + 1) || sealed) as ExistingPath);
    },
    realPath: realPathOfPlace,
    placeOf,
    open: (place, spelling) => {
      if (place.root === sealedRoot) return undefined;
      let folder = openRoot(rootOf(place.root));
      for (const depth of place.segments.keys()) {
        if (!folder) return undefined;
        const parent = folder;
        try {
          folder = openChild(parent, place, depth, spelling);
        } catch (error) {
          if (!hasCode(error, "NOT_ALLOWED")) throw error;
          return undefined;
        } finally {
          parent.close();
        }
      }
      return folder;
    },
    make: async (place, blocking) => {
      const root = rootOf(place.root);
      let folder = openRoot(root) ?? (await makeRoot(root, blocking));
      for (const depth of place.segments.keys()) {
        const parent = folder;
        try {
          folder = openChild(parent, place, depth) ?? (await makeFolder(parent, place, depth, blocking));
        } finally {
          parent.close();
        }
      }
      return folder;
    },
    isReadOnly: (place) => place.root === sealedRoot || rootOf(place.root).readOnly,
    isPlain: (place) => place.root === sealedRoot || rootOf(place.root).plain,
    owned,
    innerFolders: (name) => (innerRoots.get(rootOf(name).name) ?? []).map(({ prefix }) => prefix).sort(),
    assertSpelling: (place, folder, name) => {
      if (isFolding(rootOf(place.root), folder)) assertSameSpelling(folder, name);
    },
    close: () => {
      for (const root of roots) root.handle.close();
    },
  };

  async function makeRoot(root: Root, blocking: boolean): Promise<Directory> {
    if (!root.create) {
      throw new RecollectError("NOT_FOUND", `The folder of “${root.name}” does not exist, and is not made by itself.`, {
        data: { root: root.name },
      });
    }
    try {
      await makeWithoutLinks(root.realPath, openDirectory, blocking);
    } catch (error) {
      throw makingError(error, [root.name]);
    }
    const made = openRoot(root);
    if (!made) throw new RecollectError("STORAGE_FAILED", `The folder of “${root.name}” could not be made.`);
    return made;
  }
}

function toRoot(options: RootFolderOptions, openDirectory: OpenDirectory): Root {
  const realPath = configuredPath(options);
  return {
    name: options.name,
    realPath,
    create: options.create ?? true,
    readOnly: options.readOnly ?? false,
    plain: options.plain ?? false,
    seals: options.seals,
    foldsCase: undefined,
    handle: createRootHandle(realPath, openDirectory),
  };
}

function configuredPath({ name, folder }: RootFolderOptions): string {
  try {
    return realPathOf(resolve(folder));
  } catch (error) {
    throw folderError(error, [name]);
  }
}

/** A root's own path may hold links; they are resolved here, once. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    return join(realPathOf(dirname(path)), basename(path));
  }
}

function contains(outer: string, path: string): boolean {
  return path === outer || path.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** How paths of the outer root begin that the inner one owns; nothing where they do not overlap so. */
function prefixOf(outer: Root, inner: Root): { prefix: string; root: string }[] {
  if (outer === inner || !contains(outer.realPath, inner.realPath)) return [];
  return [{ prefix: `${relative(outer.realPath, inner.realPath).split(sep).join("/")}/`, root: inner.name }];
}

/** `data.folder` names the folder inside the root, so that a facade can tell its own from a document. */
function folderError(error: unknown, segments: readonly string[], parent?: Directory): unknown {
  const name = segments.at(-1) ?? "";
  const data = { folder: segments.join("/") };
  if (hasCode(error, "ENOTDIR", "ELOOP")) {
    const isFile = parent && lstatSync(parent.at(name), { throwIfNoEntry: false })?.isFile();
    const link = parent
      ? "is not an ordinary folder, and links are never followed"
      : "is not an ordinary folder any more, or one above it is not: links are followed once, at the start";
    return new RecollectError("NOT_A_DOCUMENT", `“${name}” ${isFile ? "is a file, not a folder" : link}.`, {
      data: { ...data, reason: isFile ? "file" : "link" },
    });
  }
  if (hasCode(error, "ESTALE")) return error;
  const known = toStorageError(error, `open the folder “${name}”`);
  return new RecollectError(known.code, known.message, { data: { ...known.data, ...data }, cause: error });
}

/** What vanished while we made a folder in it is an error only where it does so again and again. */
function makingError(error: unknown, segments: readonly string[], parent?: Directory): unknown {
  return hasCode(error, "ENOENT") ? error : folderError(error, segments, parent);
}

function sealedError(): RecollectError {
  return new RecollectError("NOT_ALLOWED", "Agents keep files of their own here, which only their own tools reach.");
}

function vanished(): never {
  throw staleError("a folder vanished during the operation");
}

/** Whether a path is the folder whose documents begin with the prefix. */
function isFolderOf(prefix: string, path: string): boolean {
  return prefix.length === path.length + 1 && prefix.startsWith(path);
}

/** The folder of a path that was not resolved, such as one that history tells of, and its last name. */
export function parseAddress({ root, path }: Address): { place: Place; name: string } {
  return splitAddress({ root, path: parseExistingPath(path) });
}

/** The folder of a path that was checked, since it was resolved or read on disk, and its last name. */
export function splitAddress({ root, path }: Address): { place: Place; name: string } {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  return { place: { root, segments }, name };
}
