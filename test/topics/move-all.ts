import { join } from "node:path";
import { createDocuments } from "../../src/core/documents.ts";
import { fullAccess } from "../../src/core/root-policy.ts";
import { openFilesStore } from "../../src/stores/files/files-store.ts";
import { listPlacedEntries, moveEntry } from "../../src/topics/move-entries.ts";

/** Moves every entry from `own` to `external` below a folder, as `recollect topics move-over --all` does. */
export async function moveAll(folder: string): Promise<void> {
  const roots = ["own", "external"].map((name) => ({ name, folder: join(folder, name) }));
  const store = openFilesStore({ roots, now: Date.now });
  const documents = createDocuments({ roots: roots.map(({ name }) => ({ name, policy: fullAccess, store })) });
  const context = (root: string) => ({ documents, root, stamp: { author: "agent:mover" } });
  await store.recover();
  const { entries } = await listPlacedEntries(context("own"));
  for (const one of entries.toReversed()) await moveEntry(one, context("own"), context("external"));
  await store.close();
}
