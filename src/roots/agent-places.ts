import { resolve } from "node:path";
import type { Backend } from "../kernel/backend.ts";
import { isRecollectError } from "../kernel/errors.ts";
import { parseAgentId } from "../notes/agents/agent-id.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { realOrNone } from "../settings/real-path.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import type { SettingValues } from "../settings/settings.ts";
import { folderOf, type RootPlace, toRootPlace } from "./root-place.ts";

/** The name of the root, for the agent whose files they are. */
export const agentFilesRoot = "agent";

/** Where agents keep files of their own, each in a place right below it. */
export function placeOfAgents(configured: ConfiguredPlace): RootPlace {
  if (configured.folder === undefined) return toRootPlace(configured);
  return toRootPlace({ folder: resolve(configured.folder, agentRoot) });
}

/** As configured, and where they lie by default: agents that were started without that setting keep theirs there. */
export function agentPlaces(values: SettingValues, dataFolder: string): readonly RootPlace[] {
  const places = [
    placeOfAgents(values["agent.app_cache_dir"]),
    toRootPlace({ folder: resolve(dataFolder, agentRoot) }),
    toRootPlace({ backend: "postgres", space: `${values["database.space"]}/agents` }),
  ].map(toRealPlace);
  return places.filter((one, index) => places.findIndex((other) => isSamePlace(one, other)) === index);
}

/** What cannot be looked at now may be looked at later: then it lies where it is said to. */
function toRealPlace(at: RootPlace): RootPlace {
  const folder = folderOf(at);
  return folder === undefined ? at : { ...at, place: realOrNone(folder) ?? folder };
}

function isSamePlace(one: RootPlace, other: RootPlace): boolean {
  return one.backend === other.backend && one.place === other.place;
}

/** Whether a space is that of an agent, whether or not there is an agent of this name. A deeper one is no agent's. */
export function isAgentSpace(places: readonly RootPlace[], { backend, place }: RootPlace): boolean {
  const above = place.slice(0, Math.max(0, place.lastIndexOf("/")));
  return places.some((one) => isSamePlace(one, { backend, place: above }));
}

/** The agents that have files of their own in such a place. */
export async function agentsIn(backend: Pick<Backend, "below">, place: string): Promise<string[]> {
  return (await backend.below(place)).filter(isAgentId).sort();
}

function isAgentId(name: string): boolean {
  try {
    return parseAgentId(name) === name;
  } catch (error) {
    if (isRecollectError(error)) return false;
    throw error;
  }
}
