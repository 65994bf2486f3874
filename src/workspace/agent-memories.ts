import type { RootPolicy } from "../core/root-policy.ts";
import { fullAccess } from "../core/root-policy.ts";
import type { Outcome, Stamp, Store } from "../core/store.ts";
import { AgentMemoryService, type AgentMemoryServiceOptions, openAgentStore } from "./agent-memory-service.ts";

/** The memory of agents, opened with the first one that is asked for. */
export interface AgentMemories {
  memory(policy: RootPolicy): AgentMemoryService;
  close(): Promise<void>;
}

export function createAgentMemories(options: {
  readonly appCacheDir: string;
  readonly shared: Pick<AgentMemoryServiceOptions, "log" | "limits" | "guard">;
  readonly committed: (outcomes: readonly Outcome[], stamp: Stamp) => void;
}): AgentMemories {
  const { appCacheDir, shared } = options;
  let store: Store | undefined;
  let whole: AgentMemoryService | undefined;

  function open(policy: RootPolicy): AgentMemoryService {
    store ??= openAgentStore(appCacheDir);
    return new AgentMemoryService(appCacheDir, { ...shared, store, policy, committed });
  }

  /** Each writes in its own folder. */
  function committed(outcomes: readonly Outcome[]): void {
    const agentId = outcomes[0]?.at.path.split("/")[0];
    if (agentId !== undefined) options.committed(outcomes, { author: `agent:${agentId}` });
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
