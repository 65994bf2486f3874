import { isUtf8 } from "node:buffer";
import type { Source, SourceDocument, SurveyedFolder } from "../../kernel/source.ts";
import { askTogether } from "./ask-together.ts";
import { type Changed, createQuestion } from "./changed-question.ts";
import type { Database, Row, Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

export interface PostgresSourceOptions {
  /** Never behind what was read from it before, unless it was set back. */
  readonly database: Pick<Database, "read">;
  /** What the database is called, so that a space of the same name in another one has another index. */
  readonly databaseName: string;
  readonly root: string;
  readonly space: string;
  /** Which paths are documents to the caller, such as those that end in `.md`. */
  readonly isDocument?: (path: string) => boolean;
}

/** The last change that was seen, by its number and the operation that it was of. */
interface Position {
  readonly change: bigint;
  readonly operation: string;
  /** How often the space was purged by then: that leaves no change for a name that had to go. */
  readonly purges: string;
}

/** From here on one look at everything is cheaper. */
const manyChanges = 500;
const readsAtOnce = 64;
const largestBytes = 16 * 1024 * 1024;

/** A space as a search index sees it, which follows its change feed. */
export function openPostgresSource(options: PostgresSourceOptions): Source {
  const { database, space, root, isDocument = () => true } = options;
  let position: Position | undefined;
  const question = createQuestion(changes);
  const looking = `look for the documents of “${root}”`;

  async function rowsOf(doing: string, ...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    try {
      return await database.read([space], ...statements);
    } catch (error) {
      throw toDatabaseError(error, doing);
    }
  }

  async function* survey(at = ""): AsyncGenerator<SurveyedFolder> {
    const rows = at === "" ? await all() : await surveyAt(at);
    const documents = (rows ?? []).map((row) => ({ path: String(row["path"]), stamp: stampOf(row) }));
    const folders = Map.groupBy(
      documents.filter(({ path }) => isDocument(path)),
      ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    );
    for (const [folder, inside] of folders) yield { folder, documents: inside };
  }

  async function all(): Promise<readonly Row[]> {
    const [rows = []] = await rowsOf(looking, {
      text: "SELECT path, rev, modified FROM recollect.documents WHERE space = $1",
      values: [space],
    });
    return rows;
  }

  /** What is there and below each of them. */
  const surveyAt = askTogether(async (paths) => {
    const [at = [], below = []] = await rowsOf(
      looking,
      {
        text: "SELECT path, rev, modified FROM recollect.documents WHERE space = $1 AND path = ANY($2)",
        values: [space, paths],
      },
      // Looked for one by one: of a join, the database may think that it is best done by reading all documents for each.
      {
        text: `SELECT asked.path AS asked, d.path, d.rev, d.modified FROM unnest($2::text[]) AS asked (path),
          LATERAL (SELECT path, rev, modified FROM recollect.documents
            WHERE space = $1 AND path > asked.path || '/' AND path < asked.path || '0' OFFSET 0) AS d`,
        values: [space, paths],
      },
    );
    const found: readonly Row[] = [...at.map((row): Row => ({ ...row, asked: row["path"] })), ...below];
    return Map.groupBy(found, ({ asked }) => String(asked));
  });

  /**
   * Changes are numbered in the order in which they took effect, so those after the last one seen are all that is new.
   * Where that one is not there any more, a database was set back, or its history was trimmed: nothing is sure then.
   */
  async function changes(): Promise<Changed> {
    const from = position;
    const [[head] = [], rows = [], [about] = []] = await rowsOf(
      `read the changes of “${root}”`,
      {
        name: "recollect last change",
        text: "SELECT change, operation FROM recollect.changes WHERE space = $1 ORDER BY change DESC LIMIT 1",
        values: [space],
      },
      {
        name: "recollect changes",
        text: `SELECT change, operation, path FROM recollect.changes
          WHERE space = $1 AND change >= $2 ORDER BY change LIMIT $3`,
        values: [space, from?.change ?? 0n, from ? manyChanges + 1 : 0],
      },
      { name: "recollect purges", text: "SELECT purges FROM recollect.spaces WHERE space = $1", values: [space] },
    );
    const purges = String(about?.["purges"] ?? 0);
    const latest = placeOf(head ?? beforeAll);
    if (!from || !isStillThere(from, rows[0], purges) || rows.length > manyChanges) {
      position = { ...latest, purges };
      return undefined;
    }
    const last = rows.at(-1);
    position = last ? { ...placeOf(last), purges } : from;
    return pathsAfter(from, rows).filter(isDocument);
  }

  const find = askTogether(async (paths) => {
    const [rows = []] = await rowsOf(`read documents of “${root}”`, {
      text: `SELECT d.path, d.rev, d.modified,
          (SELECT c.content FROM recollect.contents c WHERE c.space = $1 AND c.rev = d.rev) AS content
        FROM recollect.documents d WHERE d.space = $1 AND d.path = ANY($2) AND d.size <= $3`,
      values: [space, paths, largestBytes],
    });
    return new Map(rows.map((row) => [String(row["path"]), row]));
  });

  return {
    root,
    identity: `postgres:${options.databaseName}/${space}`,
    readsAtOnce,
    survey,
    changes: question.ask,
    watch: async () => {
      if (!position) await question.begun();
      return { kind: "watching" };
    },
    read: async (path): Promise<SourceDocument | undefined> => {
      const row = await find(path);
      const content = row?.["content"] as Buffer | null | undefined;
      if (!row || !content || !isUtf8(content)) return undefined;
      return { content: content.toString("utf8"), stamp: stampOf(row), modified: (row["modified"] as Date).getTime() };
    },
    close: () => {},
  };
}

const beforeAll = { change: 0n, operation: "" };

function pathsAfter({ change }: Pick<Position, "change">, rows: readonly Row[]): string[] {
  const later = rows.filter((row) => placeOf(row).change > change);
  return [...new Set(later.map(({ path }) => String(path)))];
}

function isStillThere({ change, operation, purges }: Position, row: Row | undefined, purgesNow: string): boolean {
  return purges === purgesNow && (change === 0n || row?.["operation"] === operation);
}

function placeOf({ change, operation }: Row): Omit<Position, "purges"> {
  return { change: BigInt(String(change)), operation: String(operation) };
}

/** Of the bytes and of the time: numbers of changes would be given again by a database that was set back. */
function stampOf({ rev, modified }: Row): number {
  const bytes = Number.parseInt(String(rev).slice(0, 12), 16);
  return 1 + bytes + 31 * (modified as Date).getTime();
}
