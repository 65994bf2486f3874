import { diagnoseElsewhere } from "../care/doctor/diagnose-elsewhere.ts";
import type { Topics } from "../notes/topics/topics.ts";
import { agentPlaces } from "../roots/agent-places.ts";
import { toRootPlace } from "../roots/root-place.ts";
import type { ChosenModel } from "../search/service/choose-model.ts";
import type { WorkspaceSearch } from "../search/service/workspace-search.ts";
import type { WorkspaceSync } from "../sync/service/workspace-sync.ts";
import type { Session } from "./session.ts";
import type { Workspace, WorkspaceOptions } from "./workspace.ts";
import type { WorkspaceBase } from "./workspace-base.ts";

/** What a workspace is looked after by, loaded when it is first asked for. */
export type WorkspaceCare = Pick<Workspace, "verify" | "purge" | "tryModel" | "diagnose" | "recover">;

export interface WorkspaceCareOptions {
  readonly options: Pick<WorkspaceOptions, "flags" | "project">;
  readonly own: Session;
  readonly topics: Topics | undefined;
  readonly searching: WorkspaceSearch;
  /** Undefined where the topics lie in no repository. */
  readonly sync: WorkspaceSync["sync"] | undefined;
  readonly model: () => ChosenModel;
  /** Ends what another process looks for. */
  readonly closing: AbortSignal;
}

export function createWorkspaceCare(base: WorkspaceBase, given: WorkspaceCareOptions): WorkspaceCare {
  const { cwd, env, home, dataFolder, plan, project, backends, settings, topicsFolder, log } = base;
  const { options, own, topics, searching, sync, model, closing } = given;
  return {
    verify: async (request = {}) => {
      const { verifyWorkspace } = await import("../care/verify/verify-workspace.ts");
      const { verifyClone } = await import("../care/doctor/diagnose-sync.ts");
      const clone = async () => (sync && plan.topics !== undefined ? verifyClone(sync, plan.topics) : []);
      // An external memory that cannot be used is not checked, whatever takes its place meanwhile.
      const unused = topicsFolder.warnings.map((says) => ({ root: "external memory", says }));
      const leftOut = [...plan.leftOut, ...unused];
      const kept = { backendOf: backends.of, plan: { ...plan, leftOut }, topics, search: searching, clone };
      return verifyWorkspace(kept, request);
    },
    purge: async (request) => {
      const { purgeWorkspace } = await import("../care/purge/purge-workspace.ts");
      const { documents, history, stamp } = own;
      const { openKnownAgentPlaces } = await import("../roots/known-agent-places.ts");
      const remembered = openKnownAgentPlaces(dataFolder, log).list();
      const agents = [
        ...agentPlaces(settings.values, dataFolder),
        ...remembered.map((folder) => toRootPlace({ folder })),
      ];
      const { refused } = base.records;
      const kept = {
        backends,
        plan,
        agents,
        documents,
        history,
        topics,
        sync,
        stamp,
        env,
        home,
        dataFolder,
        project,
        refused,
      };
      return purgeWorkspace({ ...kept, now: Date.now }, request);
    },
    tryModel: async () => {
      const chosen = model();
      if (chosen.kind === "none") return chosen;
      if (chosen.kind === "unusable") return { kind: "unavailable", reason: chosen.says, remedy: chosen.remedy };
      const { tryModel } = await import("../search/service/open-model.ts");
      return tryModel(chosen, env);
    },
    diagnose: () => {
      const { flags = {}, project } = options;
      const request = { cwd, env, home, flags, ...(project === undefined ? {} : { project }) };
      return diagnoseElsewhere(request, closing);
    },
    recover: async () => {
      const report = await backends.recover();
      const ofAgent = await own.agent?.memory.recover(own.agent.agentId);
      return {
        completed: report.completed + (ofAgent?.completed ?? 0),
        discarded: report.discarded + (ofAgent?.discarded ?? 0),
      };
    },
  };
}
