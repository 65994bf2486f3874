import type { PurgeForms } from "../../kernel/purge-forms.ts";
import type { Stamp } from "../../kernel/store.ts";
import { agentRoot } from "../../notes/agents/agent-root.ts";
import { spacesWithHistory } from "../../roots/history-roots.ts";
import { listAgents } from "../../roots/list-agents.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { WorkspaceDatabase } from "../../roots/workspace-database.ts";
import type { PurgedPlace } from "./purge-workspace.ts";

/** What of a workspace lies in the database, for who takes a value out of it. */
export interface PurgedSpaces {
  /** Where it is, and where it was. Changes nothing. */
  look(forms: PurgeForms): Promise<readonly PurgedPlace[]>;
  /** Sentences about what holds it and is only read here. */
  readOnlyPlaces(forms: PurgeForms): Promise<readonly string[]>;
  /** What was in history, of each space in which anything had to be written anew. */
  purge(forms: PurgeForms, stamp: Stamp): Promise<readonly RootRevisions[]>;
}

interface RootRevisions {
  readonly root: string;
  /** Documents that history had it in, and in how many revisions. */
  readonly revisions: ReadonlyMap<string, number>;
}

interface Target {
  readonly root: string;
  readonly space: string;
  /** What stands before its paths where they are shown. */
  readonly prefix: string;
}

export async function openPurgedSpaces(options: {
  readonly plan: Pick<RootPlan, "spaces">;
  /** Below which spaces the files of agents lie, each agent's in a space of its own. */
  readonly agents: readonly string[];
  readonly database: WorkspaceDatabase | undefined;
}): Promise<PurgedSpaces> {
  const { plan, agents, database } = options;
  if (!database) return { look: async () => [], readOnlyPlaces: async () => [], purge: async () => [] };
  const own = spacesWithHistory(plan).map(({ name, space }): Target => ({ root: name, space, prefix: "" }));
  const targets = [...own];
  for (const base of agents) {
    const ids = await listAgents({ given: base, space: base }, database);
    targets.push(...ids.map((id) => ({ root: agentRoot, space: `${base}/${id}`, prefix: `${id}/` })));
  }

  return {
    look: async (forms) => {
      const places: PurgedPlace[] = [];
      for (const { root, space, prefix } of targets) {
        const found = await database.findValue(space, forms);
        places.push(...found.map((one) => ({ root, ...one, path: prefix + one.path })));
      }
      return places;
    },
    readOnlyPlaces: async (forms) => {
      const places: string[] = [];
      for (const { name, space } of plan.spaces.filter(({ readOnly }) => readOnly)) {
        const found = await database.findValue(space, forms);
        places.push(...found.map(({ path }) => `“${path}” in “${name}” holds it, and is read-only here.`));
      }
      return places;
    },
    purge: async (forms, stamp) => {
      const revisions: RootRevisions[] = [];
      for (const { root, space, prefix } of targets) {
        const purged = await database.purge({ space, forms, stamp });
        if (!purged.isRewritten) continue;
        const named = [...purged.revisions].map(([path, count]) => [prefix + path, count] as const);
        revisions.push({ root, revisions: new Map(named) });
        // Other servers look again at once.
        database.written([space]);
      }
      return revisions;
    },
  };
}
