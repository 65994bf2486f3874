import { RecollectError } from "../kernel/errors.ts";
import type { RootPolicy } from "../kernel/root-policy.ts";
import { fullAccess } from "../kernel/root-policy.ts";
import type { Outcome, Stamp, Store } from "../kernel/store.ts";
import type { WorkspaceDatabase } from "../roots/workspace-database.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import { AgentMemoryService, type AgentMemoryServiceOptions, openAgentStore } from "./agent-memory-service.ts";

/** The memory of agents, opened with the first one that is asked for. */
export interface AgentMemories {
  memory(policy: RootPolicy): AgentMemoryService;
  close(): Promise<void>;
}

export function createAgentMemories(options: {
  /** Where the files of all agents lie. */
  readonly place: ConfiguredPlace;
  readonly database: Pick<WorkspaceDatabase, "agentStore" | "written"> | undefined;
  readonly shared: Pick<AgentMemoryServiceOptions, "log" | "limits" | "guard">;
  readonly committed: (outcomes: readonly Outcome[], stamp: Stamp) => void;
  /** Told of the folder of all agents, before anything is written there. */
  readonly sealed: (realPath: string) => void;
}): AgentMemories {
  const { place, database, shared } = options;
  let store: Store | undefined;
  let whole: AgentMemoryService | undefined;

  function open(policy: RootPolicy): AgentMemoryService {
    store ??= openStore();
    return new AgentMemoryService(place.given, { ...shared, store, policy, committed });
  }

  function openStore(): Store {
    if (place.folder !== undefined) return openAgentStore(place.folder, { sealed: options.sealed });
    if (database) return database.agentStore(place.space);
    throw new RecollectError("INVALID_ARGUMENT", "The files of agents lie in a database. Give --database-url.");
  }

  /** Each writes in its own folder. */
  function committed(outcomes: readonly Outcome[]): void {
    const agentId = outcomes[0]?.at.path.split("/")[0];
    if (agentId === undefined) return;
    if (place.space !== undefined) database?.written([`${place.space}/${agentId}`]);
    options.committed(outcomes, { author: `agent:${agentId}` });
  }

  return {
    memory: (policy) => {
      if (policy !== fullAccess) return open(policy);
      whole ??= open(fullAccess);
      return whole;
    },
    close: async () => store?.close(),
  };
}
