import { lstatSync, readdirSync, statSync } from "node:fs";
import { recordsInFolder } from "../../backends/files/records.ts";
import type { RootFolderOptions } from "../../backends/files/root-folders.ts";
import { hasCode, toStorageError } from "../../backends/files/storage-error.ts";
import { type FilesStoreOptions, openFilesStore } from "../../backends/files/store.ts";
import { type Backend, type BackendRoot, backendParts } from "../../kernel/backend.ts";
import type { Source } from "../../kernel/source.ts";
import type { MirrorOptions } from "./mirror.ts";

export interface FilesBackendOptions extends Pick<FilesStoreOptions, "blockingSync" | "lockTimeoutMs" | "now"> {
  readonly roots: readonly BackendRoot[];
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the history of a folder has its second copy (ONE-3); it has none without it. */
  readonly mirrorOf?: (folder: string) => MirrorOptions;
}

/** Folders of this machine, with their history in git. */
export function openFilesBackend(options: FilesBackendOptions): Backend {
  const { roots, env, mirrorOf, ...about } = options;
  const folders = roots.map(toFolder);
  const isFollowed = !roots.some(({ isDivided }) => isDivided);
  const store = openFilesStore({ ...about, roots: folders, isFollowed });

  function mirrorOfRoot(root: string): MirrorOptions | undefined {
    const folder = folders.find(({ name }) => name === root)?.folder;
    return isFollowed && folder !== undefined ? mirrorOf?.(folder) : undefined;
  }

  return {
    parts: new Set(backendParts),
    documents: store,
    folder: store,
    feed: (root, asked) => {
      const own = roots.find(({ name }) => name === root);
      if (!own?.refusesLink) return store.source(root, asked);
      // Its index would be that of the folder it leads to.
      return isLink(own.place) ? nothingIn(own) : withoutLink(store.source(root, asked), own.place);
    },
    history: async (root, { stays, closing, ...asked }) => {
      const [{ openGitHistory }, { recordElsewhere, recordLater }] = await Promise.all([
        import("./history.ts"),
        import("./record-elsewhere.ts"),
      ]);
      const mirror = mirrorOfRoot(root);
      const request = { folders, root, env, mirror };
      return openGitHistory({
        ...asked,
        trail: store.trail(root),
        env,
        mirror,
        // A command answers one request: nothing else waits for it.
        recordElsewhere: stays ? (waitMs) => recordElsewhere({ ...request, waitMs }, asked.log, closing) : undefined,
        recordLater: () => recordLater(request),
      });
    },
    records: recordsInFolder,
    care: async (root) => {
      const { createFolderCare } = await import("./care.ts");
      return createFolderCare({ store, trail: store.trail(root), env, mirror: mirrorOfRoot(root) });
    },
    beside: (others) => openFilesBackend({ ...options, roots: others }),
    has: async (place) => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false,
    below: async (place) => foldersIn(place),
    close: store.close,
  };
}

function toFolder({ place, isDivided: _, refusesLink: __, ...root }: BackendRoot): RootFolderOptions {
  return { ...root, folder: place };
}

function nothingIn({ name, place }: BackendRoot): Source {
  return {
    root: name,
    identity: `link:${place}`,
    survey: () => [],
    changes: async () => undefined,
    watch: async () => ({ kind: "unwatched", reason: "a link is in the place of the folder" }),
    read: async () => undefined,
    close: () => {},
  };
}

function withoutLink(source: Source, folder: string): Source {
  return {
    ...source,
    survey: (at) => (isLink(folder) ? [] : source.survey(at)),
    read: async (path) => (isLink(folder) ? undefined : source.read(path)),
    changes: async () => {
      const changed = await source.changes();
      return isLink(folder) ? undefined : changed;
    },
  };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // Opening it says what is wrong.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function foldersIn(place: string): string[] {
  try {
    const entries = readdirSync(place, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw toStorageError(error, "look for folders");
  }
}
