import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Asked } from "./search-ours.ts";
import { serveRequests, startCpu } from "./worker.ts";

export type Fts5Request =
  | { readonly kind: "build"; readonly notes: string; readonly file: string }
  | { readonly kind: "ask"; readonly queries: readonly string[]; readonly shown: boolean }
  | { readonly kind: "memory" };

export interface Fts5Built {
  /** Milliseconds with the reading of the files, and without it. */
  readonly whole: number;
  readonly inserting: number;
  readonly cpu: number;
}

const batch = 4096;
let statements: { readonly bare: StatementSync; readonly shown: StatementSync } | undefined;

serveRequests<Fts5Request>(async (request) => {
  if (request.kind === "build") return build(request.notes, request.file);
  if (request.kind === "ask") return ask(request.queries, request.shown);
  return process.memoryUsage().rss;
});

function build(notes: string, file: string): Fts5Built {
  const database = new DatabaseSync(file);
  // More memory than it takes by itself (2 MB), so that it is not slow for want of that.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
  database.exec("CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, text, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO notes(path, text) VALUES (?, ?)");
  let inserting = 0;
  const put = (documents: readonly (readonly [string, string])[]): void => {
    const start = performance.now();
    database.exec("BEGIN");
    for (const document of documents) insert.run(...document);
    database.exec("COMMIT");
    inserting += performance.now() - start;
  };
  const cpu = startCpu();
  const start = performance.now();
  let waiting: (readonly [string, string])[] = [];
  for (const folder of readdirSync(notes).sort()) {
    for (const name of readdirSync(join(notes, folder)).sort()) {
      waiting.push([`${folder}/${name}`, readFileSync(join(notes, folder, name), "utf8")]);
      if (waiting.length < batch) continue;
      put(waiting);
      waiting = [];
    }
  }
  put(waiting);
  const whole = performance.now() - start;
  const used = cpu();
  // The best that it can be for questions; who builds need not wait for it, so it is not counted.
  database.exec("INSERT INTO notes(notes) VALUES ('optimize')");
  const select = (columns: string) => `SELECT ${columns} FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT 10`;
  statements = {
    bare: database.prepare(select("rowid")),
    shown: database.prepare(select("path, text, snippet(notes, 1, '**', '**', '…', 32)")),
  };
  return { whole, inserting, cpu: used };
}

function ask(queries: readonly string[], shown: boolean): Omit<Asked, "warnings"> {
  const statement = statements?.[shown ? "shown" : "bare"];
  if (!statement) throw new Error("nothing is built");
  const cpu = startCpu();
  const times = queries.map((query) => {
    const start = performance.now();
    const words = query.split(" ").map((word) => `"${word}"`);
    statement.all(words.join(" OR "));
    return performance.now() - start;
  });
  return { times, cpu: cpu() };
}
