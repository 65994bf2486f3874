import { join } from "node:path";
import { agentRoot } from "../agents/agent-root.ts";
import { bankRoots } from "../bank/bank-roots.ts";
import { nameOfPath } from "../memories/memory-name.ts";
import { type FilesStore, openFilesStore } from "../stores/files/files-store.ts";
import type { RootPlan } from "./mount-roots.ts";
import type { SearchedRoot } from "./open-search.ts";
import { isLink, ownFolderSource } from "./own-folder-source.ts";

/** What is searched, as data: another process finds the same by it. */
export interface SearchedPlan extends Pick<RootPlan, "folders" | "memoryFolders" | "areas" | "topics"> {
  readonly agent: { readonly id: string; readonly appCacheDir: string } | undefined;
}

/** The roots of a workspace that are searched; `stores` is given those that are opened for it alone. */
export function searchedRoots(store: FilesStore, plan: SearchedPlan, stores: FilesStore[]): SearchedRoot[] {
  const memories = plan.memoryFolders.map(({ root, kind }): SearchedRoot => {
    const isDocument = (path: string) => nameOfPath(path, kind === "global") !== undefined;
    return { source: store.source(root, { isDocument }), kind: "memory" };
  });
  const bank = plan.areas
    ? [bankRoots.bank, bankRoots.templates].map((root): SearchedRoot => ({ source: store.source(root), kind: "bank" }))
    : [];
  const topics =
    plan.topics === undefined
      ? []
      : [{ source: store.source(plan.topics, { isDocument: isTopic }), kind: "topic" as const }];
  return [...memories, ...topics, ...bank, ...(plan.agent ? agentFiles(plan.agent, stores) : [])];
}

/** The name of the root, for the agent whose files they are. */
export const agentFilesRoot = "agent";

/** The agent's own folder and nothing beside it: another agent's files are in another root, and in another index. */
export function agentFiles(
  { id, appCacheDir }: NonNullable<SearchedPlan["agent"]>,
  stores: FilesStore[],
): readonly SearchedRoot[] {
  const folder = join(appCacheDir, agentRoot, id);
  // Its index would be that of the folder it leads to.
  if (isLink(folder)) return [];
  const store = openFilesStore({
    roots: [{ name: agentFilesRoot, folder, create: false, readOnly: true }],
    now: Date.now,
  });
  stores.push(store);
  return [{ source: ownFolderSource(store.source(agentFilesRoot), folder), kind: "agent" }];
}

/** Not the index of topics, which is made of their titles: it would be found in their place. */
function isTopic(path: string): boolean {
  return path.endsWith(".md") && path !== "index.md";
}
