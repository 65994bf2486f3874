import type { OpenFolder } from "./held-folders.ts";
import type { Place, RootFolders } from "./root-folders.ts";

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
  const keyOf = (place: Place) => [place.root, ...place.segments].join("\0");

  function remember(place: Place, folder: OpenFolder["folder"]): OpenFolder {
    const found = { folder, realPath: roots.realPath(place) };
    open.set(keyOf(place), found);
    return found;
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
      for (const { folder } of open.values()) folder.close();
      open.clear();
    },
  };
}
