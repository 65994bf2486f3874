import { join } from "node:path";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments, type Documents } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { listPlacedEntries, moveEntry } from "../../../src/notes/topics/move-entries.ts";

/** Moves every entry from `own` to `external` below a folder, as `recollect topics move-over --all` does. */
export async function moveAll(folder: string): Promise<void> {
  const roots = ["own", "external"].map((name) => ({ name, folder: join(folder, name) }));
  const store = openFilesStore({ roots, now: Date.now });
  await store.recover();
  await moveEach(createDocuments({ roots: roots.map(({ name }) => ({ name, policy: fullAccess, store })) }));
  await store.close();
}

/** The same with roots of these names, wherever they are kept. */
export async function moveEach(documents: Documents): Promise<void> {
  const context = (root: string) => ({ documents, root, stamp: { author: "agent:mover" } });
  const { entries } = await listPlacedEntries(context("own"));
  for (const one of entries.toReversed()) await moveEntry(one, context("own"), context("external"));
}
