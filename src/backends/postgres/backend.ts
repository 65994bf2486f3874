import { type Backend, type BackendDocuments, type BackendRoot, backendParts } from "../../kernel/backend.ts";
import type { SpacePart } from "./care.ts";
import { type Database, openDatabase, type Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { databaseNameOf } from "./database-hosts.ts";
import { openFolderSpaces } from "./folder-spaces.ts";
import { recordsInSpace } from "./records.ts";
import { openPostgresSource } from "./source.ts";
import { createSpaces } from "./spaces.ts";
import { openPostgresStore } from "./store.ts";
import { createWakeUp, type WakeUp } from "./wake-up.ts";

/** Where the database is, and how it is used; as data, so that another process can open it too. */
export interface DatabaseSettings {
  readonly url: string;
  readonly connections: number;
  readonly statementSeconds: number;
}

/** What all roots of a database share. */
interface Connection {
  readonly database: Database;
  readonly databaseName: string;
  readonly wakeUp: WakeUp;
}

/** Opens a database, with its tables in their newest form. Each root is a space of it. */
export async function openPostgresBackend(settings: DatabaseSettings, roots: readonly BackendRoot[]): Promise<Backend> {
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
  const close = async () => {
    await wakeUp.close();
    await database.close();
  };
  try {
    const backend = backendOver({ database, databaseName: databaseNameOf(url), wakeUp }, roots);
    return {
      ...backend,
      close: async () => {
        await backend.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The caller closes what these roots share. */
export function backendOver(connection: Connection, roots: readonly BackendRoot[]): Backend {
  const { database, databaseName, wakeUp } = connection;
  const documents = openDocuments(connection, roots);
  const { of: spaceOf } = createSpaces(roots.map(({ name, place }) => ({ name, space: place })));

  return {
    parts: new Set(backendParts),
    documents,
    feed: (root, options) => {
      const space = spaceOf(root);
      const source = openPostgresSource({ ...options, root, space, database, databaseName });
      return { ...source, onWritten: (tell) => wakeUp.onWritten((written) => written === space && tell()) };
    },
    history: async (root, options) => {
      const { openPostgresHistory } = await import("./history.ts");
      return openPostgresHistory({ ...options, root, space: spaceOf(root), database });
    },
    records: (place) => recordsInSpace(database, place),
    care: async (root) => {
      const { createSpaceCare } = await import("./care.ts");
      return createSpaceCare({ database, root, parts: await partsOf(root), written: wakeUp.written });
    },
    beside: (others) => backendOver(connection, others),
    has: (place) => hasChanges(database, place),
    below,
    health: database.health,
    close: documents.close,
  };

  async function partsOf(root: string): Promise<readonly SpacePart[]> {
    const space = spaceOf(root);
    if (!roots.some(({ name, isDivided }) => name === root && isDivided)) return [{ space, prefix: "" }];
    return (await below(space)).map((name) => ({ space: `${space}/${name}`, prefix: `${name}/` }));
  }

  function below(place: string): Promise<readonly string[]> {
    return spacesBelow(database, place);
  }
}

/** Divided roots are opened by themselves: an operation works in one of their folders. */
function openDocuments({ database, wakeUp }: Connection, roots: readonly BackendRoot[]): BackendDocuments {
  const { written } = wakeUp;
  const [first] = roots;
  if (first?.isDivided) return openFolderSpaces({ database, root: first.name, base: first.place, written });
  const spaces = roots.map(({ name, place, readOnly = false }) => ({ name, space: place, readOnly }));
  return openPostgresStore({ database, roots: spaces, written });
}

/** The names of the spaces directly below this one in which something was written. */
export async function spacesBelow(database: Database, base: string): Promise<readonly string[]> {
  const below = `${base}/`;
  const [, rows = []] = await look(
    database,
    [],
    { text: "SELECT set_config('recollect.below', $1, true)", values: [below] },
    {
      // The policy alone would look at the spaces of everybody.
      text: `SELECT name FROM (
          SELECT substr(space, length($1) + 1) AS name FROM recollect.spaces
          WHERE space > $1 AND space < $2 AND last_change > 0 ORDER BY space) AS below
        WHERE strpos(name, '/') = 0`,
      values: [below, `${base}0`],
    },
  );
  return rows.map(({ name }) => String(name));
}

async function hasChanges(database: Database, space: string): Promise<boolean> {
  const text = "SELECT 1 FROM recollect.spaces WHERE space = $1 AND last_change > 0";
  const [rows = []] = await look(database, [space], { text, values: [space] });
  return rows.length > 0;
}

async function look(database: Database, spaces: readonly string[], ...statements: readonly Statement[]) {
  try {
    return await database.read(spaces, ...statements);
  } catch (error) {
    throw toDatabaseError(error, "look for spaces");
  }
}
