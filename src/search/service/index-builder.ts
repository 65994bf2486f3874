import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openBackends } from "../../roots/open-backends.ts";
import { IndexFailure } from "../index/index-failure.ts";
import { openIndexFile } from "../index/open-index.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { BuildReply, BuildRequest } from "./build-elsewhere.ts";
import { openSearch } from "./open-search.ts";
import { searchedRoots } from "./searched-roots.ts";

/** A process that builds an index for another one, which reads it meanwhile. Whatever fails here, that one does itself. */
async function serve(request: BuildRequest): Promise<void> {
  const { folder } = request.search;
  const version = request.index.slice(request.index.lastIndexOf("-") + 1);
  const documents = await build(request);
  const opened = openIndexFile({ file: join(folder, request.index), version });
  // Another one was built where the settings or the table are not the same here.
  if (opened.kind !== "open" || opened.index.counts().documents !== documents) throw new Error("It cannot be built.");
  tell("built");
  await putInOrder(opened.index);
}

/** Answers how many documents there are. */
async function build({ plan, root, search }: BuildRequest): Promise<number> {
  const planned = plan.roots.map((one) => ({ ...one, create: false, readOnly: true }));
  const backends = await openBackends(plan.setup, planned);
  const roots = searchedRoots(backends, plan).filter(({ source }) => source.root === root);
  const opened = openSearch({ ...search, roots, env: {}, stays: false });
  try {
    const { documents } = await opened.status(({ done, total }) => tell({ done, total }));
    return documents;
  } finally {
    await opened.close();
    await backends.close();
  }
}

async function putInOrder(index: SearchIndex): Promise<void> {
  try {
    while (index.maintain(sliceMs)) await setImmediate();
  } catch (error) {
    // Another process writes, and puts it in order as well.
    if (!(error instanceof IndexFailure)) throw error;
  } finally {
    index.close();
  }
}

/** How late it may notice that nobody needs it any more. */
const sliceMs = 50;

function tell(reply: BuildReply): void {
  process.send?.(reply);
}

process.once("disconnect", () => process.exit(1));
process.once("message", async (request: BuildRequest) => {
  await serve(request);
  process.exit(0);
});
