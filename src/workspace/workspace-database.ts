import type { Source } from "../core/source.ts";
import type { Store } from "../core/store.ts";
import type { RootHistory } from "../history/root-history.ts";
import type { DatabaseHealth } from "../stores/postgres/database.ts";
import type { PostgresHistoryOptions } from "../stores/postgres/postgres-history.ts";
import type { PostgresSourceOptions } from "../stores/postgres/postgres-source.ts";
import type { SpaceRoot } from "../stores/postgres/spaces.ts";

/** Where the database is, and how it is used; as data, so that another process can open it too. */
export interface DatabaseSettings {
  readonly url: string;
  readonly connections: number;
  readonly statementSeconds: number;
  readonly replicaUrl: string | undefined;
  readonly replicaStalenessMs: number;
}

/** The database of a workspace, and what the workspace needs of it. */
export interface WorkspaceDatabase {
  store(roots: readonly SpaceRoot[]): Store;
  /** The files of all agents, each in a space of its own below this one. */
  agentStore(base: string): Store;
  source(options: Omit<PostgresSourceOptions, "database" | "databaseName" | "mayBeBehind">): Source;
  history(options: Omit<PostgresHistoryOptions, "database">): RootHistory;
  /** Who made a revision of a document last; nobody of ours where nobody knows. */
  authorOf(space: string, path: string, rev: string | undefined): Promise<string | undefined>;
  /** The names of the spaces directly below this one. */
  spacesBelow(base: string): Promise<readonly string[]>;
  /** Tells of spaces that somebody wrote to, in this process or another; until the function that it returns is called. */
  onWritten(listener: (space: string) => void): () => void;
  /** Somebody here wrote to these. */
  written(spaces: readonly string[]): void;
  health(): Promise<DatabaseHealth>;
  close(): Promise<void>;
}

/** Loaded where a root lies in it: nobody else pays for the client library. */
export async function openWorkspaceDatabase(settings: DatabaseSettings): Promise<WorkspaceDatabase> {
  const { connectDatabase } = await import("./connect-database.ts");
  return connectDatabase(settings);
}
