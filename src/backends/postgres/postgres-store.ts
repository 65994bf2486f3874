import { assertResolved, parseExistingPath, toResolved } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Store } from "../../kernel/store.ts";
import { commitDocuments } from "./commit.ts";
import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { createLook } from "./look.ts";
import { createSpaces, type SpaceRoot } from "./spaces.ts";

export interface PostgresStoreOptions {
  readonly database: Database;
  readonly roots: readonly SpaceRoot[];
}

/** Documents in a database, each root a space of it: see docs/FORMAT.md for the tables. The database is the caller's to close. */
export function openPostgresStore({ database, roots }: PostgresStoreOptions): Store {
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
        return commitDocuments(database, spaces, { named, plan, stamp });
      }),
    // A database brings to its end, or undoes, what was cut off.
    recover: () => operation("recover", async () => ({ completed: 0, discarded: 0 })),
    close: async () => {
      isClosed = true;
    },
  };
}
