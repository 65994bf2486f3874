import { openFilesBackend } from "../history/git/backend.ts";
import type { Backend, BackendHealth, BackendRoot } from "../kernel/backend.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { RecordPlace } from "../kernel/records.ts";
import type { Source } from "../kernel/source.ts";
import type { RecoveryReport } from "../kernel/store.ts";
import type { Trail } from "../kernel/trail.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import type { BackendName, ConfiguredPlace } from "../settings/setting-types.ts";
import type { SettingValues } from "../settings/settings.ts";
import { agentFilesRoot, agentsIn, placeOfAgents } from "./agent-places.ts";
import { closeOnFailure } from "./close-on-failure.ts";
import { type MirrorBase, mirrorOf } from "./history-roots.ts";
import type { PlacedRoot, RootPlace } from "./root-place.ts";

/** What backends are opened with; as data, so that another process can open them too. */
export interface BackendSetup extends MirrorBase {
  readonly values: Pick<
    SettingValues,
    "database.url" | "database.connections" | "database.statement_seconds" | "database.space"
  >;
  /** Where the files of all agents lie; without it they are out of reach. */
  readonly agents?: ConfiguredPlace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly lockTimeoutMs?: number | undefined;
  /** False for a server of many: its event loop turns while the disk syncs. */
  readonly blockingSync?: boolean;
}

interface Registered {
  /** Undefined where the settings do not say what it needs; `needed` names what lies there. */
  open(setup: BackendSetup, roots: readonly BackendRoot[], needed?: string): Promise<Backend | undefined>;
  /** Where records lie that every server of a memory must agree on. */
  readonly recordsAt: (setup: BackendSetup) => string;
}

/** A line for each backend. The last one that is set up has the records: what servers share goes before a server's disk. */
const registered: Readonly<Record<BackendName, Registered>> = {
  files: { open: openFiles, recordsAt: ({ dataFolder }) => dataFolder },
  postgres: { open: openPostgres, recordsAt: ({ values }) => values["database.space"] },
};

/** What keeps the roots of a workspace. */
export interface Backends {
  /** What keeps a root. */
  of(root: string): Backend;
  /** What keeps roots in such a place; undefined where that is not set up. */
  at(place: Pick<RootPlace, "backend">): Backend | undefined;
  /** What a root that lies in a folder wrote down. */
  trail(root: string): Trail;
  /** Of what every server of a memory must agree on. */
  readonly records: RecordPlace;
  recordsIn(backend: BackendName): RecordPlace | undefined;
  /** The files of all agents, each in a folder of its own. The caller closes it. */
  agents(seals?: BackendRoot["seals"]): Backend;
  /** An agent's own files and nothing beside them. */
  feedOfAgent(agentId: string): Source;
  /** The agents that have files of their own. */
  listAgents(): Promise<readonly string[]>;
  /** Whether what may be out of reach answers; undefined where nothing may. */
  health(): Promise<BackendHealth | undefined>;
  recover(): Promise<RecoveryReport>;
  close(): Promise<void>;
}

export async function openBackends(setup: BackendSetup, roots: readonly PlacedRoot[]): Promise<Backends> {
  const agents = setup.agents && placeOfAgents(setup.agents);
  const opened = new Map<BackendName, Backend>();
  const close = async () => void (await Promise.all([...opened.values()].map((one) => one.close())));
  const names = Object.keys(registered) as BackendName[];
  for (const name of names) {
    const own = roots.filter(({ backend }) => backend === name);
    const needed = own[0]?.name ?? (agents?.backend === name ? setup.agents?.given : undefined);
    // What is open must not keep a command from ending.
    const opening = { close: () => close() };
    const backend = await closeOnFailure(opening, () => registered[name].open(setup, own, needed));
    if (backend) opened.set(name, backend);
  }

  function ofAgents(): { readonly backend: Backend; readonly place: string } {
    const backend = agents && opened.get(agents.backend);
    if (backend) return { backend, place: agents.place };
    throw new RangeError("Nothing says where the files of agents lie.");
  }

  const recordsIn = (name: BackendName) => opened.get(name)?.records?.(registered[name].recordsAt(setup));
  const placed = new Map(roots.map(({ name, backend }) => [name, opened.get(backend)]));
  const of = (root: string) => placed.get(root) ?? noRoot(root);

  return {
    of,
    at: ({ backend }) => opened.get(backend),
    trail: (root) => of(root).folder?.trail(root) ?? noRoot(root),
    records: names.flatMap((name) => recordsIn(name) ?? []).at(-1) ?? noRoot("records"),
    recordsIn,
    agents: (seals) => {
      const { backend, place } = ofAgents();
      return backend.beside([{ name: agentRoot, place, isDivided: true, ...(seals && { seals }) }]);
    },
    feedOfAgent: (agentId) => {
      const { backend, place } = ofAgents();
      const about = { create: false, readOnly: true, refusesLink: true };
      const own = backend.beside([{ name: agentFilesRoot, place: `${place}/${agentId}`, ...about }]);
      // It only reads, so nothing is ever under way when it is closed.
      return { ...own.feed(agentFilesRoot), close: () => void own.close() };
    },
    listAgents: () => agentsIn(ofAgents().backend, ofAgents().place),
    health: async () => [...opened.values()].find(({ health }) => health)?.health?.(),
    recover: async () => {
      const reports: RecoveryReport[] = [];
      for (const { documents } of opened.values()) reports.push(await documents.recover());
      return {
        completed: reports.reduce((sum, { completed }) => sum + completed, 0),
        discarded: reports.reduce((sum, { discarded }) => sum + discarded, 0),
      };
    },
    close,
  };
}

function noRoot(root: string): never {
  throw new RecollectError("NOT_FOUND", `There is no root “${root}”.`, { data: { root } });
}

async function openFiles(setup: BackendSetup, roots: readonly BackendRoot[]): Promise<Backend> {
  const { env, lockTimeoutMs, blockingSync = true } = setup;
  const mirror = (folder: string) => mirrorOf({ folder }, setup);
  const patience = lockTimeoutMs === undefined ? {} : { lockTimeoutMs };
  return openFilesBackend({ roots, env, now: Date.now, mirrorOf: mirror, blockingSync, ...patience });
}

/** Loaded where a database is configured: no other process pays for the client library. */
async function openPostgres(
  { values }: BackendSetup,
  roots: readonly BackendRoot[],
  needed: string | undefined,
): Promise<Backend | undefined> {
  const url = values["database.url"];
  if (url === undefined) {
    if (needed === undefined) return undefined;
    const says = `“${needed}” lies in a database, and nobody says in which. Give --database-url, or set RECOLLECT_DATABASE_URL.`;
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  const { openPostgresBackend } = await import("../backends/postgres/backend.ts");
  const settings = {
    url,
    connections: values["database.connections"],
    statementSeconds: values["database.statement_seconds"],
  };
  return openPostgresBackend(settings, roots);
}
