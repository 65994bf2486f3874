import { type FilesStore, openFilesStore } from "../stores/files/files-store.ts";
import type { BuildReply, BuildRequest } from "./build-elsewhere.ts";
import { openSearch } from "./open-search.ts";
import { searchedRoots } from "./searched-roots.ts";

/** Builds an index for another process, which reads it meanwhile. */
async function build({ plan, root, search }: BuildRequest): Promise<void> {
  const folders = plan.folders.map((folder) => ({ ...folder, create: false, readOnly: true }));
  const stores: FilesStore[] = [openFilesStore({ roots: folders, now: Date.now })];
  const roots = stores.flatMap((store) => searchedRoots(store, plan, stores));
  for (const { source } of roots) if (source.root !== root) source.close();
  const wanted = roots.filter(({ source }) => source.root === root);
  const opened = openSearch({ ...search, roots: wanted, env: {}, stays: false });
  try {
    await opened.status(({ done, total }) => process.send?.({ done, total } satisfies BuildReply));
  } finally {
    await opened.close();
    for (const store of stores) await store.close();
  }
}

// Nobody is left to search.
process.once("disconnect", () => process.exit(1));
process.once("message", async (request: BuildRequest) => {
  await build(request);
  process.exit(0);
});
