import type { VerifyFinding } from "../../kernel/finding.ts";
import type { Address, Outcome } from "../../kernel/store.ts";
import { agentRoot } from "../../notes/agents/agent-root.ts";
import { agentFilesRoot } from "../../roots/agent-places.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { BackendSetup } from "../../roots/open-backends.ts";
import type { RankingWeights } from "../rank.ts";
import type { RootIndex } from "../root-index.ts";
import type { OnIndexProgress, Search } from "../search.ts";
import type { AgentIndexes } from "./agent-indexes.ts";
import { buildElsewhere } from "./build-elsewhere.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { InspectOptions } from "./describe-document.ts";
import type { SearchPool, SearchPoolOptions } from "./open-search.ts";
import type { RecallLedger } from "./recall-ledger.ts";
import { createRenewed } from "./renewed.ts";
import { type SearchedBackends, searchedRoots } from "./searched-roots.ts";
import { createShownTexts, type ShownTextsOptions } from "./shown-texts.ts";

interface WorkspaceSearchOptions {
  readonly backends: SearchedBackends;
  readonly plan: RootPlan;
  /** By which another process that builds an index opens the backends. */
  readonly setup: BackendSetup;
  /** The agent that the workspace was opened for. */
  readonly agentId: string | undefined;
  /** Where indexes are kept. */
  readonly folder: string;
  /** By what it is judged which texts may be shown. */
  readonly guard: ShownTextsOptions;
  readonly usesMeaning: boolean;
  readonly model: () => ChosenModel;
  readonly env: NodeJS.ProcessEnv;
  readonly weights: RankingWeights;
  readonly stays: boolean;
  /** Counts what is handed out; the files of an agent under `agent_memory/ID`. */
  readonly ledger: Pick<RecallLedger, "record">;
  /** What every answer says until the external memory of topics works again (TOP-7). */
  readonly topicsWarning: () => string | undefined;
}

/** What somebody may find. */
interface SearchScope {
  readonly sees: (root: string) => boolean;
  /** Whose own files are searched as well. */
  readonly agentId: string | undefined;
  /** Whether they are told that the topics cannot be reached: who sees none is not to know of any. */
  readonly hearsOfTopics: boolean;
}

export interface WorkspaceSearch {
  /** Over what the scope lets see; the same one for the same scope. */
  search(scope: SearchScope): Promise<Search>;
  /** Whether another process is building an index for this one. */
  isBuilding(): boolean;
  /** Whether somebody searched within the last moment, and may go on. */
  isAsked(): boolean;
  /** What was just written; little of it is in the index then, the rest follows in the background. */
  committed(outcomes: readonly Outcome[]): Promise<void>;
  /** Compares the indexes that there are with such as are made anew. Changes nothing. */
  verify(isQuick: boolean, onProgress?: OnIndexProgress): Promise<readonly VerifyFinding[]>;
  close(): Promise<void>;
}

interface Opened {
  readonly pool: SearchPool;
  /** Of what all share; the files of agents are beside them. */
  readonly shared: readonly RootIndex[];
  readonly agents: AgentIndexes;
  /** Over all of those, for who tells what was changed. */
  readonly whole: Search;
  /** By what they see. */
  readonly searches: Map<string, Search>;
}

const momentSeconds = 1;

/** Search over the roots of a workspace, loaded when it is first needed. */
export function createWorkspaceSearch(options: WorkspaceSearchOptions): WorkspaceSearch {
  const guardNow = createShownTexts(options.guard);
  const renewed = createRenewed({
    state: guardNow,
    open: load,
    close: async ({ pool }, isOutdated) => {
      await pool.close();
      if (isOutdated) pool.discard();
    },
  });
  const { roots: planned, memoryFolders, areas, topics } = options.plan;
  const building = new Set<Promise<boolean>>();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function load(guard: InspectOptions): Promise<Opened> {
    const [{ openSearchPool }, { createAgentIndexes }] = await Promise.all([
      import("./open-search.ts"),
      import("./agent-indexes.ts"),
    ]);
    const pool = openSearchPool({ ...options, model: options.model(), guard, build: buildFor(undefined) });
    const shared = searchedRoots(options.backends, planFor(undefined)).map((root) => pool.open(root));
    const agents = createAgentIndexes({
      open: (root, agentId) => pool.open(root, buildFor(agentId)),
      over: pool.over,
      backends: options.backends,
    });
    return { pool, shared, whole: pool.over(shared), agents, searches: new Map() };
  }

  async function search({ sees, agentId, hearsOfTopics }: SearchScope): Promise<Search> {
    const { shared } = await renewed.opened();
    const seen = shared.map(({ source }) => source.root).filter(sees);
    return scopedSearch({
      use: (ask) => renewed.use((opened) => askIn(opened, seen, agentId, ask)),
      handedOut: recorderFor(agentId),
      warning: hearsOfTopics ? options.topicsWarning : () => undefined,
    });
  }

  async function askIn<Answer>(
    opened: Opened,
    roots: readonly string[],
    agentId: string | undefined,
    ask: (search: Search) => Promise<Answer>,
  ): Promise<Answer> {
    const seen = opened.shared.filter(({ source }) => roots.includes(source.root));
    // It keeps those of the agents that searched last.
    if (agentId !== undefined) return opened.agents.use(agentId, seen, ask);
    const key = JSON.stringify(roots);
    const made = opened.searches.get(key) ?? opened.pool.over(seen);
    opened.searches.set(key, made);
    return ask(made);
  }

  /** Each root is in one index, whoever searches in it. */
  async function told(changed: readonly Address[]): Promise<void> {
    await renewed.useOpened(({ whole }) => whole.updated(changed)).catch(() => {});
  }

  /** An agent's own files are called alike for each of them. */
  function recorderFor(agentId: string | undefined): RecallLedger["record"] {
    const nameOf = (root: string) => (root === agentFilesRoot ? `${agentRoot}/${agentId}` : root);
    return (given) => {
      askedAt = process.uptime();
      options.ledger.record(given.map(({ root, path }) => ({ root: nameOf(root), path })));
    };
  }

  function planFor(agentId: string | undefined) {
    return { roots: planned, memoryFolders, areas, topics, agentId, setup: options.setup };
  }

  function buildFor(agentId: string | undefined): NonNullable<SearchPoolOptions["build"]> {
    return async (what, ...rest) => {
      const work = buildElsewhere({ plan: planFor(agentId), ...what }, ...rest);
      building.add(work);
      try {
        return await work;
      } finally {
        building.delete(work);
      }
    };
  }

  return {
    search,
    verify: async (isQuick, onProgress) => {
      const { verifySearch } = await import("./verify-search.ts");
      const roots = () => searchedRoots(options.backends, planFor(options.agentId));
      const asked = { roots, isQuick, onProgress };
      return verifySearch({ ...options, model: options.model(), guard: await guardNow(), ...asked });
    },
    isBuilding: () => building.size > 0,
    isAsked: () => process.uptime() - askedAt < momentSeconds,
    committed: (outcomes) => told(outcomes.map(({ at }) => at)),
    close: renewed.close,
  };
}

interface ScopedSearchOptions {
  /** Asks the search that is open when the question comes, which stays open until it is answered. */
  readonly use: <Answer>(ask: (search: Search) => Promise<Answer>) => Promise<Answer>;
  /** Told which documents were handed out. */
  readonly handedOut: RecallLedger["record"];
  /** What each answer says first, also where nothing is found, which may be due to that. */
  readonly warning: () => string | undefined;
}

/** Search as one session has it: over what the session sees, counted, and with the warning that concerns it. */
export function scopedSearch({ use, handedOut, warning }: ScopedSearchOptions): Search {
  const warned = <Answer extends { readonly warnings: readonly string[] }>(answer: Answer): Answer => {
    const says = warning();
    return says === undefined ? answer : { ...answer, warnings: [says, ...answer.warnings] };
  };
  return {
    search: async (request, onProgress) => {
      const page = await use((search) => search.search(request, onProgress));
      if (!request.preview) handedOut(page.hits);
      return warned(page);
    },
    recall: async (request, onProgress) => {
      const recalled = await use((search) => search.recall(request, onProgress));
      handedOut(recalled.items);
      return warned(recalled);
    },
    reindex: (...asked) => use((search) => search.reindex(...asked)),
    status: (...asked) => use((search) => search.status(...asked)),
    updated: (...asked) => use((search) => search.updated(...asked)),
  };
}
