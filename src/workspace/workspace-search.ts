import type { Address, Outcome } from "../core/store.ts";
import type { GuardPolicy } from "../guard/guard.ts";
import type { VerifyFinding } from "../history/verify/finding.ts";
import type { RankingWeights } from "../search/rank.ts";
import type { OnIndexProgress, Search } from "../search/search.ts";
import type { FilesStore } from "../stores/files/files-store.ts";
import { buildElsewhere } from "./build-elsewhere.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { RootPlan } from "./mount-roots.ts";
import type { OpenSearchOptions } from "./open-search.ts";
import { searchedRoots } from "./searched-roots.ts";

export interface WorkspaceSearchOptions {
  readonly store: FilesStore;
  readonly plan: RootPlan;
  readonly agent: { readonly id: string; readonly appCacheDir: string } | undefined;
  /** Where indexes are kept. */
  readonly folder: string;
  readonly guard: { readonly policy: GuardPolicy; readonly allowed: () => ReadonlySet<string> };
  readonly usesMeaning: boolean;
  readonly model: () => ChosenModel;
  readonly env: NodeJS.ProcessEnv;
  readonly weights: RankingWeights;
  readonly stays: boolean;
  /** What every answer says until the external memory of topics works again (TOP-7). */
  readonly topicsWarning: () => string | undefined;
}

export interface WorkspaceSearch {
  search(): Promise<Search>;
  /** Whether another process is building an index for this one. */
  isBuilding(): boolean;
  /** What was just written; its index follows in the background. */
  committed(outcomes: readonly Outcome[]): void;
  /** Compares the indexes that there are with such as are made anew. Changes nothing. */
  verify(onProgress?: OnIndexProgress): Promise<readonly VerifyFinding[]>;
  close(): Promise<void>;
}

/** Search over the roots of a workspace, loaded when it is first needed. */
export function createWorkspaceSearch(options: WorkspaceSearchOptions): WorkspaceSearch {
  let loaded: Promise<Search> | undefined;
  const agentStores: FilesStore[] = [];
  const building = new Set<Promise<boolean>>();

  async function load(): Promise<Search> {
    const { openSearch } = await import("./open-search.ts");
    const { guard, model, topicsWarning, ...rest } = options;
    const allowed = guard.allowed();
    const own = { ...rest, model: model(), guard: { policy: guard.policy, allowed } };
    const opened = openSearch({ ...own, roots: roots(), build });
    return withWarning(opened, topicsWarning);
  }

  function search(): Promise<Search> {
    // One that could not be opened, for a damaged record of the allow-list, may be mended by the next time.
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  }

  const plan = {
    folders: options.plan.folders,
    memoryFolders: options.plan.memoryFolders,
    areas: options.plan.areas,
    topics: options.plan.topics,
    agent: options.agent,
  };
  const roots = () => searchedRoots(options.store, plan, agentStores);

  const build: NonNullable<OpenSearchOptions["build"]> = async (what, ...rest) => {
    const work = buildElsewhere({ plan, ...what }, ...rest);
    building.add(work);
    try {
      return await work;
    } finally {
      building.delete(work);
    }
  };

  function updated(changed: readonly Pick<Address, "root" | "path">[]): void {
    if (loaded) void loaded.then((search) => search.updated(changed)).catch(() => {});
  }

  return {
    search,
    verify: async (onProgress) => {
      const { verifySearch } = await import("./verify-search.ts");
      const { guard, model, ...rest } = options;
      const allowed = guard.allowed();
      return verifySearch({ ...rest, model: model(), guard: { policy: guard.policy, allowed }, roots, onProgress });
    },
    isBuilding: () => building.size > 0,
    committed: (outcomes) => updated(outcomes.map(({ at }) => at)),
    close: async () => {
      const search = await loaded?.catch(() => undefined);
      await search?.close();
      for (const store of agentStores) await store.close();
    },
  };
}

/** Also where there are no topics at all: that nothing is found may be due to that. */
function withWarning(search: Search, warningNow: () => string | undefined): Search {
  const warned = <Answer extends { readonly warnings: readonly string[] }>(answer: Answer): Answer => {
    const warning = warningNow();
    return warning === undefined ? answer : { ...answer, warnings: [warning, ...answer.warnings] };
  };
  return {
    ...search,
    search: async (...asked) => warned(await search.search(...asked)),
    recall: async (...asked) => warned(await search.recall(...asked)),
  };
}
