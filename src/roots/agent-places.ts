import { resolve } from "node:path";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { realOrNone } from "../settings/real-path.ts";
import type { SettingValues } from "../settings/settings.ts";

/** Where agents keep files of their own. */
export interface AgentPlaces {
  /** Real paths, each once. In each, every agent has a folder. */
  readonly folders: readonly string[];
  /** Right below each, every agent has a space. */
  readonly spaces: readonly string[];
}

/** As configured, and where they lie by default: agents that were started without that setting keep theirs there. */
export function agentPlaces(values: SettingValues, dataFolder: string): AgentPlaces {
  const { folder, space } = values["agent.app_cache_dir"];
  const folders = [...(folder === undefined ? [] : [folder]), dataFolder].map((one) => resolve(one, agentRoot));
  const spaces = [...(space === undefined ? [] : [space]), `${values["database.space"]}/agents`];
  // What nobody can look at now may be looked at later: then it lies where it is said to.
  return { folders: [...new Set(folders.map((one) => realOrNone(one) ?? one))], spaces: [...new Set(spaces)] };
}

/** Whether a space is that of an agent, whether or not there is an agent of this name. Deeper ones are of nobody's. */
export function isAgentSpace(spaces: readonly string[], space: string): boolean {
  return spaces.includes(space.slice(0, Math.max(0, space.lastIndexOf("/"))));
}
