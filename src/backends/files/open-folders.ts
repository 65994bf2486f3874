import { RecollectError } from "../../kernel/errors.ts";
import type { Directory } from "./directory.ts";
import { maxLockedPathBytes } from "./lock-name.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { staleError } from "./storage-error.ts";

/** A folder that was opened for an operation, and where it lies. */
export interface OpenFolder {
  readonly folder: Directory;
  readonly realPath: string;
  /** An outer folder with a short path, through which its lock is opened where its own path is too long for SQLite. */
  readonly shallow: Directory | undefined;
}

/** The folders of one operation: each opened once, all closed at its end. */
export interface OpenFolders {
  /** Undefined where it does not exist. */
  open(place: Place): OpenFolder | undefined;
  make(place: Place, blocking: boolean): Promise<OpenFolder>;
  all(): readonly OpenFolder[];
  close(): void;
}

export function createOpenFolders(roots: RootFolders): OpenFolders {
  const open = new Map<string, OpenFolder>();
  const toClose: Directory[] = [];
  const keyOf = (place: Place) => [place.root, ...place.segments].join("\0");

  function remember(place: Place, folder: Directory): OpenFolder {
    toClose.push(folder);
    const found = { folder, realPath: roots.realPath(place), shallow: openShallow(place) };
    open.set(keyOf(place), found);
    return found;
  }

  function openShallow(place: Place): Directory | undefined {
    const outer = shallowPlaceOf(place, roots);
    if (outer === place) return undefined;
    const folder = roots.open(outer);
    if (!folder) throw staleError("a folder vanished during the operation");
    toClose.push(folder);
    return folder;
  }

  function openPlace(place: Place): OpenFolder | undefined {
    const known = open.get(keyOf(place));
    if (known) return known;
    const folder = roots.open(place);
    return folder && remember(place, folder);
  }

  return {
    open: openPlace,
    make: async (place, blocking) => openPlace(place) ?? remember(place, await roots.make(place, blocking)),
    all: () => [...open.values()],
    close: () => {
      for (const folder of toClose.splice(0)) folder.close();
      open.clear();
    },
  };
}

/** The innermost folder on the way whose path leaves room for the name of a lock. */
function shallowPlaceOf(place: Place, roots: RootFolders): Place {
  if (Buffer.byteLength(roots.realPath(place)) <= maxLockedPathBytes) return place;
  if (place.segments.length > 0) {
    return shallowPlaceOf({ root: place.root, segments: place.segments.slice(0, -1) }, roots);
  }
  throw new RecollectError(
    "INVALID_ARGUMENT",
    `The folder of “${place.root}” lies too deep on this disk: its path is over ${maxLockedPathBytes} bytes. Move it up.`,
    { data: { root: place.root, limit: maxLockedPathBytes } },
  );
}
