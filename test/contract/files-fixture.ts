import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FilesStoreOptions, openFilesStore, type Store } from "../../src/app.ts";
import { readTrail } from "../helpers/written-records.ts";
import type { CreateStoreFixture } from "./store-fixture.ts";

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
