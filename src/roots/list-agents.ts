import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode, toStorageError } from "../backends/files/storage-error.ts";
import { isRecollectError } from "../kernel/errors.ts";
import { parseAgentId } from "../notes/agents/agent-id.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import type { WorkspaceDatabase } from "./workspace-database.ts";

/** The agents that have files of their own here, by the names of their folders or spaces. */
export async function listAgents(
  place: ConfiguredPlace,
  database: Pick<WorkspaceDatabase, "spacesBelow"> | undefined,
): Promise<string[]> {
  if (place.folder !== undefined) return inFolder(join(place.folder, agentRoot));
  return ((await database?.spacesBelow(place.space)) ?? []).filter(isAgentId).sort();
}

function inFolder(folder: string): string[] {
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
