import { join } from "node:path";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { type ConfiguredPlace, spacePlace } from "../settings/setting-types.ts";
import type { RootPlan } from "./mount-roots.ts";

/** Where a root lies, as text; agents' own files are named by the agent. */
export function rootPlaceOf(root: string, { folders, spaces }: RootPlan, agents: ConfiguredPlace): string | undefined {
  const folder = folders.find(({ name }) => name === root)?.folder;
  const space = spaces.find(({ name }) => name === root)?.space;
  if (folder !== undefined || space !== undefined) return folder ?? spacePlace(space ?? "");
  if (!root.startsWith(`${agentRoot}/`)) return undefined;
  return agents.folder === undefined ? spacePlace(`${agents.space}/${root}`) : join(agents.folder, root);
}
