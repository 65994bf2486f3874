import type { DatabaseHealth } from "../backends/postgres/database.ts";
import type { ValueSighting } from "../backends/postgres/find-value.ts";
import type { Kept } from "../backends/postgres/kept-document.ts";
import type { PostgresHistoryOptions } from "../backends/postgres/postgres-history.ts";
import type { PostgresSourceOptions } from "../backends/postgres/postgres-source.ts";
import type { PurgedSpace, PurgeSpaceOptions } from "../backends/postgres/purge-space.ts";
import type { SpaceRecords } from "../backends/postgres/space-records.ts";
import type { SpaceRoot } from "../backends/postgres/spaces.ts";
import type { VerifySpaceOptions } from "../backends/postgres/verify-space.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { RootVerification } from "../kernel/finding.ts";
import type { PurgeForms } from "../kernel/purge-forms.ts";
import type { RootHistory } from "../kernel/root-history.ts";
import type { Source } from "../kernel/source.ts";
import type { Store } from "../kernel/store.ts";
import type { SettingValues } from "../settings/settings.ts";

/** Where the database is, and how it is used; as data, so that another process can open it too. */
export interface DatabaseSettings {
  readonly url: string;
  readonly connections: number;
  readonly statementSeconds: number;
}

/** The database of a workspace, and what the workspace needs of it. */
export interface WorkspaceDatabase {
  store(roots: readonly SpaceRoot[]): Store;
  /** The files of all agents, each in a space of its own below this one. */
  agentStore(base: string): Store;
  source(options: Omit<PostgresSourceOptions, "database" | "databaseName">): Source;
  history(options: Omit<PostgresHistoryOptions, "database">): RootHistory;
  /** A document as it is, also where it is no text; undefined where there is none. */
  readBytes(space: string, path: string): Promise<Pick<Kept, "bytes" | "modified"> | undefined>;
  /** Proves that what is kept of a space agrees; changes nothing. */
  verify(options: Omit<VerifySpaceOptions, "database">): Promise<RootVerification>;
  /** Where a value stands in a space, and in what it was. Changes nothing. */
  findValue(space: string, forms: PurgeForms): Promise<readonly ValueSighting[]>;
  /** Takes it out of everything that the space keeps. */
  purge(options: Omit<PurgeSpaceOptions, "database">): Promise<PurgedSpace>;
  /** Small records of a space that are no documents. */
  records(space: string): SpaceRecords;
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

/** Undefined where none is set; a root that lies in one needs it. */
export function databaseSettingsOf(values: SettingValues, root?: string): DatabaseSettings | undefined {
  const url = values["database.url"];
  if (url === undefined) {
    if (root === undefined) return undefined;
    const says = `“${root}” lies in a database, and nobody says in which. Give --database-url, or set RECOLLECT_DATABASE_URL.`;
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  return {
    url,
    connections: values["database.connections"],
    statementSeconds: values["database.statement_seconds"],
  };
}
