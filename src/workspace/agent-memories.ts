import type { Backend } from "../kernel/backend.ts";
import type { RootPolicy } from "../kernel/root-policy.ts";
import { fullAccess } from "../kernel/root-policy.ts";
import type { Outcome, Stamp } from "../kernel/store.ts";
import type { Backends } from "../roots/open-backends.ts";
import { AgentMemoryService, type AgentMemoryServiceOptions } from "./agent-memory-service.ts";

/** The memory of agents, opened with the first one that is asked for. */
export interface AgentMemories {
  memory(policy: RootPolicy): AgentMemoryService;
  close(): Promise<void>;
}

export function createAgentMemories(options: {
  readonly backends: Pick<Backends, "agents">;
  /** How their place is shown. */
  readonly given: string;
  readonly shared: Pick<AgentMemoryServiceOptions, "log" | "limits" | "guard">;
  readonly committed: (outcomes: readonly Outcome[], stamp: Stamp) => void;
  /** Told of the folder of all agents, before anything is written there. */
  readonly sealed: (realPath: string) => void;
}): AgentMemories {
  const { backends, given, shared } = options;
  let backend: Backend | undefined;
  let whole: AgentMemoryService | undefined;

  function open(policy: RootPolicy): AgentMemoryService {
    backend ??= backends.agents(options.sealed);
    return new AgentMemoryService(given, { ...shared, store: backend.documents, policy, committed });
  }

  /** Each writes in its own folder. */
  function committed(outcomes: readonly Outcome[]): void {
    const agentId = outcomes[0]?.at.path.split("/")[0];
    if (agentId === undefined) return;
    options.committed(outcomes, { author: `agent:${agentId}` });
  }

  return {
    memory: (policy) => {
      if (policy !== fullAccess) return open(policy);
      whole ??= open(fullAccess);
      return whole;
    },
    close: async () => backend?.close(),
  };
}
