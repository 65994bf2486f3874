import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";
import type { DocumentStores, OpenedStore, RootContents, RootToOpen } from "./document-stores.ts";
import { documentsOf, snapshotOf } from "./folder-snapshot.ts";
import { readTrail } from "./written-records.ts";

/** Each root a folder of its name, in a temporary place. */
export const filesStores: DocumentStores = {
  name: "files",
  open: async (roots) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "recollect-stores-")));
    onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
    return openFolders(base, roots);
  },
};

function openFolders(base: string, roots: readonly RootToOpen[]): OpenedStore {
  for (const { name, create } of roots) if (create === false) mkdirSync(join(base, name), { recursive: true });
  const another = () => {
    const store = openFilesStore({
      now: Date.now,
      roots: roots.map((root) => ({ ...root, folder: join(base, root.name) })),
    });
    onTestFinished(() => store.close());
    return store;
  };
  const store = another();
  return {
    store,
    another,
    contents: (root) => inFolder(join(base, root)),
    everything: async () => snapshotOf(base),
    history: (root) => {
      const history = openGitHistory({ trail: store.trail(root), env: process.env, now: Date.now });
      onTestFinished(() => history.close());
      return history;
    },
    written: (root) => readTrail(store.trail(root)),
  };
}

function inFolder(folder: string): RootContents {
  return {
    putAll: async (documents) => {
      for (const [path, content] of Object.entries(documents)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    },
    bytes: async (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : undefined),
    remove: async (path) => rmSync(join(folder, path), { recursive: true }),
    paths: async () => {
      const found = existsSync(folder) ? Object.entries(documentsOf(folder)) : [];
      return found.filter(([, what]) => what.startsWith("file")).map(([path]) => path);
    },
  };
}
