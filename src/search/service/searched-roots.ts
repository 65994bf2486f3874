import { bankRoots } from "../../notes/bank/bank-roots.ts";
import { hasName } from "../../notes/memories/memory-name.ts";
import { isShownPath } from "../../notes/topics/topic-paths.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Backends } from "../../roots/open-backends.ts";
import type { SearchedRoot } from "./open-search.ts";

/** What is searched, as data: another process finds the same by it. */
export interface SearchedPlan extends Pick<RootPlan, "memoryFolders" | "areas" | "topics"> {
  /** The agent whose own files are searched as well. */
  readonly agentId: string | undefined;
}

/** What keeps the roots that are searched. */
export type SearchedBackends = Pick<Backends, "of" | "feedOfAgent">;

/** Which paths are documents. Its name is in that of the index: another rule has another one. */
interface DocumentRule {
  readonly name: string;
  readonly isDocument: (path: string) => boolean;
}

const memories: DocumentRule = { name: "memories", isDocument: (path) => hasName(path, false) };
const globalMemories: DocumentRule = {
  name: "global memories",
  isDocument: (path) => hasName(path, true),
};
const topics: DocumentRule = { name: "topics", isDocument: isShownPath };
const allFiles: DocumentRule = { name: "all files", isDocument: () => true };

/** The roots of a workspace that are searched. */
export function searchedRoots(backends: SearchedBackends, plan: SearchedPlan): SearchedRoot[] {
  const searched = (root: string, kind: SearchedRoot["kind"], { name, isDocument }: DocumentRule): SearchedRoot => ({
    source: backends.of(root).feed(root, { isDocument }),
    kind,
    rule: name,
  });
  const bank = plan.areas ? [bankRoots.bank, bankRoots.templates] : [];
  return [
    ...plan.memoryFolders.map(({ root, kind }) =>
      searched(root, "memory", kind === "global" ? globalMemories : memories),
    ),
    ...(plan.topics === undefined ? [] : [searched(plan.topics, "topic", topics)]),
    ...bank.map((root) => searched(root, "bank", allFiles)),
    ...(plan.agentId === undefined ? [] : agentFiles(backends, plan.agentId)),
  ];
}

export function agentFiles({ feedOfAgent }: SearchedBackends, agentId: string): readonly SearchedRoot[] {
  return [{ source: feedOfAgent(agentId), kind: "agent", rule: allFiles.name }];
}
