import type { BackendDocuments } from "../../kernel/backend.ts";
import { assertResolved, parseExistingPath, toResolved } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Committed } from "../../kernel/store.ts";
import { commitDocuments } from "./commit.ts";
import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { type Kept, keptOf } from "./kept-document.ts";
import { createLook } from "./look.ts";
import { createSpaces, type SpaceRoot } from "./spaces.ts";

export interface PostgresStoreOptions {
  readonly database: Database;
  readonly roots: readonly SpaceRoot[];
  /** Told of the spaces that a commit changed. */
  readonly written?: (spaces: readonly string[]) => void;
}

/** Documents in a database, each root a space of it: see docs/FORMAT.md for the tables. The database is the caller's to close. */
export function openPostgresStore({ database, roots, written = () => {} }: PostgresStoreOptions): BackendDocuments {
  const spaces = createSpaces(roots);
  const look = createLook(database, spaces);
  let isClosed = false;

  /** Every operation passes here: none after the end, and no error of the database gets out untranslated. */
  async function operation<Result>(doing: string, run: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw new RecollectError("INVALID_ARGUMENT", "This store was closed. Open it again.");
    try {
      return await run();
    } catch (error) {
      throw toDatabaseError(error, doing);
    }
  }

  return {
    roots: spaces.names,
    // A space lies in no other.
    resolve: ({ root, path }) => {
      spaces.of(root);
      return toResolved(root, parseExistingPath(path));
    },
    read: (at) =>
      operation(`read “${at.path}”`, async () => {
        assertResolved(at);
        return look.read(at);
      }),
    list: (request) => operation("list the documents", () => look.list(request)),
    browse: (request) => operation("list a folder", () => look.browse(request)),
    recent: (request) => operation("look for what changed last", () => look.recent(request)),
    commit: (named, plan, stamp) =>
      operation("write", async () => {
        named.forEach(assertResolved);
        const done = await commitDocuments(database, spaces, { named, plan, stamp });
        if (isCommitted(done)) written([...new Set(done.outcomes.map(({ at }) => spaces.of(at.root)))]);
        return done;
      }),
    readBytes: ({ root, path }) => operation(`read “${path}”`, () => readBytes(database, spaces.of(root), path)),
    authorOf: ({ root, path }, rev) =>
      operation(`read the history of “${path}”`, () => authorOf(database, spaces.of(root), path, rev)),
    // A database brings to its end, or undoes, what was cut off.
    recover: () => operation("recover", async () => ({ completed: 0, discarded: 0 })),
    close: async () => {
      isClosed = true;
    },
  };
}

export function isCommitted(done: unknown): done is Committed {
  return typeof done === "object" && done !== null && "outcomes" in done;
}

async function readBytes(database: Database, space: string, path: string): Promise<Kept | undefined> {
  const [[row] = []] = await database.read([space], {
    text: `SELECT d.rev, d.modified, c.content FROM recollect.documents d
      JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev WHERE d.space = $1 AND d.path = $2`,
    values: [space, path],
  });
  return row && keptOf(row);
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
