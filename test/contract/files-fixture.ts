import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FilesStoreOptions, openFilesStore, type Store } from "../../src/app.ts";
import type { Backend } from "../../src/kernel/backend.ts";
import { filesBackend } from "../helpers/backends.ts";
import { readTrail } from "../helpers/written-records.ts";
import type { CreateBackendFixture } from "./backend-fixture.ts";
import type { CreateStoreFixture } from "./store-fixture.ts";

/** Folders in a temporary place. */
export const filesBackendFixture: CreateBackendFixture = async (names) => {
  const base = mkdtempSync(join(tmpdir(), "recollect-contract-"));
  const roots = names.map((name) => ({ name, place: join(base, name) }));
  const clients: Backend[] = [];
  return {
    open: async () => {
      const client = filesBackend(roots);
      clients.push(client);
      return client;
    },
    recordsPlace: join(base, "records"),
    dispose: async () => {
      for (const client of clients) await client.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
};

/** Folders of files in a temporary place; options other than the roots may be given, such as another walk. */
export function filesFixture(options: Partial<FilesStoreOptions> = {}): CreateStoreFixture {
  return async (names) => {
    const base = mkdtempSync(join(tmpdir(), "recollect-contract-"));
    const roots = names.map((name) => ({ name, folder: join(base, name) }));
    const clients: Store[] = [];
    const open = () => {
      const client = openFilesStore({ now: Date.now, ...options, roots });
      clients.push(client);
      return client;
    };
    const reader = open();
    return {
      open: async () => open(),
      written: (root) => readTrail(reader.trail(root)),
      dispose: async () => {
        for (const client of clients) await client.close();
        rmSync(base, { recursive: true, force: true });
      },
    };
  };
}
