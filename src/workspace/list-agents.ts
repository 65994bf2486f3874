import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseAgentId } from "../agents/agent-id.ts";
import { agentRoot } from "../agents/agent-root.ts";
import { isRecollectError } from "../core/errors.ts";
import { hasCode, toStorageError } from "../stores/files/storage-error.ts";
import type { ResolvedSettings } from "./resolve-settings.ts";

/** The agents that have files of their own here, by the names of their folders. */
export function listAgents({ values }: Pick<ResolvedSettings, "values">): string[] {
  const folder = join(values["agent.app_cache_dir"].folder, agentRoot);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isAgentId(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw toStorageError(error, "look for agents");
  }
}

function isAgentId(name: string): boolean {
  try {
    return parseAgentId(name) === name;
  } catch (error) {
    if (isRecollectError(error)) return false;
    throw error;
  }
}
