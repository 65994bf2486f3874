import { bankRoots } from "../bank/bank-roots.ts";
import { nameOfPath } from "../memories/memory-name.ts";
import type { RootPlan } from "./mount-roots.ts";
import type { SearchedRoot } from "./open-search.ts";
import type { RootSources } from "./root-sources.ts";

/** What is searched, as data: another process finds the same by it. */
export interface SearchedPlan extends Pick<RootPlan, "memoryFolders" | "areas" | "topics"> {
  /** The agent whose own files are searched as well. */
  readonly agentId: string | undefined;
}

/** The roots of a workspace that are searched. */
export function searchedRoots(sources: RootSources, plan: SearchedPlan): SearchedRoot[] {
  const memories = plan.memoryFolders.map(({ root, kind }): SearchedRoot => {
    const isDocument = (path: string) => nameOfPath(path, kind === "global") !== undefined;
    return { source: sources.source(root, { isDocument }), kind: "memory" };
  });
  const bank = plan.areas
    ? [bankRoots.bank, bankRoots.templates].map(
        (root): SearchedRoot => ({ source: sources.source(root), kind: "bank" }),
      )
    : [];
  const topics =
    plan.topics === undefined
      ? []
      : [{ source: sources.source(plan.topics, { isDocument: isTopic }), kind: "topic" as const }];
  return [...memories, ...topics, ...bank, ...(plan.agentId === undefined ? [] : agentFiles(sources, plan.agentId))];
}

export function agentFiles(sources: RootSources, agentId: string): readonly SearchedRoot[] {
  const source = sources.agent(agentId);
  return source ? [{ source, kind: "agent" }] : [];
}

/** Not the index of topics, which is made of their titles: it would be found in their place. */
function isTopic(path: string): boolean {
  return path.endsWith(".md") && path !== "index.md";
}
