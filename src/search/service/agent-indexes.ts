import type { RootIndex } from "../root-index.ts";
import type { Search } from "../search.ts";
import type { SearchedRoot } from "./open-search.ts";
import { agentFiles, type SearchedBackends } from "./searched-roots.ts";

/** Searches over the files of one agent and what it sees beside them. */
export interface AgentIndexes {
  /** What an agent is searching in stays open until it has its answer. The pool closes what it opened. */
  use<Answer>(agentId: string, seen: readonly RootIndex[], ask: (search: Search) => Promise<Answer>): Promise<Answer>;
}

export interface AgentIndexesOptions {
  readonly backends: SearchedBackends;
  readonly open: (root: SearchedRoot, agentId: string) => RootIndex;
  readonly over: (roots: readonly RootIndex[]) => Search;
  /** A server of many agents keeps so many of their indexes open. */
  readonly mostOpen?: number;
}

interface OpenedAgent {
  readonly roots: readonly RootIndex[];
  /** By what else they see. */
  readonly searches: Map<string, Search>;
  uses: number;
}

const usuallyOpen = 64;

export function createAgentIndexes(options: AgentIndexesOptions): AgentIndexes {
  const { backends, mostOpen = usuallyOpen } = options;
  /** The one used last comes last. */
  const agents = new Map<string, OpenedAgent>();

  function opened(agentId: string): OpenedAgent {
    const known = agents.get(agentId);
    const agent = known ?? {
      roots: agentFiles(backends, agentId).map((root) => options.open(root, agentId)),
      searches: new Map(),
      uses: 0,
    };
    agents.delete(agentId);
    agents.set(agentId, agent);
    return agent;
  }

  async function closeIdle(): Promise<void> {
    for (const [agentId, agent] of agents) {
      if (agents.size <= mostOpen) return;
      if (agent.uses > 0) continue;
      agents.delete(agentId);
      for (const root of agent.roots) await root.close();
    }
  }

  return {
    use: async (agentId, seen, ask) => {
      const agent = opened(agentId);
      const key = JSON.stringify(seen.map(({ source }) => source.root));
      const search = agent.searches.get(key) ?? options.over([...seen, ...agent.roots]);
      agent.searches.set(key, search);
      agent.uses += 1;
      try {
        return await ask(search);
      } finally {
        agent.uses -= 1;
        await closeIdle();
      }
    },
  };
}
