import { type Database, openDatabase } from "../backends/postgres/database.ts";
import { toDatabaseError } from "../backends/postgres/database-error.ts";
import { databaseNameOf } from "../backends/postgres/database-hosts.ts";
import { spacesBelow } from "../backends/postgres/find-spaces.ts";
import { openFolderSpaces } from "../backends/postgres/folder-spaces.ts";
import { openPostgresHistory } from "../backends/postgres/postgres-history.ts";
import { openPostgresSource } from "../backends/postgres/postgres-source.ts";
import { openPostgresStore } from "../backends/postgres/postgres-store.ts";
import { readSpaceBytes } from "../backends/postgres/read-bytes.ts";
import { openSpaceRecords } from "../backends/postgres/space-records.ts";
import { createWakeUp } from "../backends/postgres/wake-up.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import type { DatabaseSettings, WorkspaceDatabase } from "./workspace-database.ts";

/** Opens the database of a workspace, with its tables in their newest form. */
export async function connectDatabase(settings: DatabaseSettings): Promise<WorkspaceDatabase> {
  const { url, connections, statementSeconds } = settings;
  const limits = { connections, statementTimeoutMs: statementSeconds * 1000, lockTimeoutMs: statementSeconds * 1000 };
  const database = openDatabase({ url, ...limits });
  try {
    await database.migrate();
  } catch (error) {
    await database.close();
    throw toDatabaseError(error, "open the database");
  }
  const wakeUp = createWakeUp({ url });
  return {
    store: (roots) => openPostgresStore({ database, roots }),
    agentStore: (base) => openFolderSpaces({ database, root: agentRoot, base }),
    source: (options) => openPostgresSource({ ...options, database, databaseName: databaseNameOf(url) }),
    history: (options) => openPostgresHistory({ ...options, database }),
    readBytes: (space, path) => readSpaceBytes(database, space, path),
    verify: async (options) =>
      (await import("../backends/postgres/verify-space.ts")).verifySpace({ ...options, database }),
    findValue: async (space, forms) =>
      (await import("../backends/postgres/find-value.ts")).findValue(database, space, forms),
    purge: async (options) =>
      (await import("../backends/postgres/purge-space.ts")).purgeSpace({ ...options, database }),
    records: (space) => openSpaceRecords(database, space),
    authorOf: (space, path, rev) => authorOf(database, space, path, rev),
    spacesBelow: (base) => spacesBelow(database, base),
    onWritten: wakeUp.onWritten,
    written: wakeUp.written,
    health: database.health,
    close: async () => {
      await wakeUp.close();
      await database.close();
    },
  };
}

async function authorOf(
  database: Database,
  space: string,
  path: string,
  rev: string | undefined,
): Promise<string | undefined> {
  const [[row] = []] = await database.read([space], {
    text: "SELECT author, rev FROM recollect.changes WHERE space = $1 AND path = $2 ORDER BY change DESC LIMIT 1",
    values: [space, path],
  });
  return row && (row["rev"] ?? undefined) === rev ? String(row["author"]) : undefined;
}
