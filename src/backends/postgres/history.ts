import type { ExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type {
  DocumentChange,
  LogPage,
  LogRequest,
  Moment,
  Operation,
  OperationKind,
  RootHistory,
} from "../../kernel/root-history.ts";
import type { Database, Row, Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { type LogPlace, parsePageToken, toPageToken } from "./log-place.ts";
import { trimChanges } from "./trim-changes.ts";

export interface PostgresHistoryOptions {
  readonly database: Database;
  readonly root: string;
  readonly space: string;
  readonly now: () => number;
  /** How long what was is kept; undefined for ever. */
  readonly keepMs?: number | undefined;
}

/** One change as its row has it. */
export interface Recorded {
  readonly change: bigint;
  readonly operation: string;
  readonly path: ExistingPath;
  readonly kind: OperationKind;
  readonly rev: Rev | null;
  readonly was: Rev | null;
  readonly other_space: string | null;
  readonly other_path: ExistingPath | null;
  readonly time: Date;
  readonly author: string;
  readonly run: string | null;
  readonly reason: string | null;
  readonly batch: string | null;
}

/** More than any change has as its number. */
const endOfTime = 9_000_000_000_000_000_000n;
/** How many changes are read at once. */
const mostRows = 5000;

/** What was in a space: the changes that its store wrote down, and the contents that they name. */
export function openPostgresHistory(options: PostgresHistoryOptions): RootHistory {
  const { database, space } = options;

  async function rowsOf(text: string, ...values: unknown[]): Promise<readonly Row[]> {
    try {
      const [rows = []] = await database.read([space], { text, values: [space, ...values] });
      return rows;
    } catch (error) {
      throw toDatabaseError(error, `read the history of “${options.root}”`);
    }
  }

  /** The changes of one document, newest first, under the names that it had. */
  async function logOfDocument(request: LogRequest, start: LogPlace): Promise<LogPage> {
    const operations: Operation[] = [];
    let place: LogPlace | undefined = start;
    while (place?.path !== undefined) {
      const at: LogPlace = place;
      const { text, values } = changesWhere(request, [["c.path = ", at.path]]);
      const found = (await rowsOf(`${text} ORDER BY change DESC LIMIT $3`, at.below, request.limit + 1, ...values)).map(
        recordedOf,
      );
      place = undefined;
      for (const record of found) {
        if (operations.length === request.limit)
          return { operations, next: toPageToken({ ...at, below: record.change + 1n }) };
        operations.push(toOperation([record], space));
        const from = movedFrom(record, space);
        if (from === undefined) continue;
        place = { below: await firstOf(record.operation), path: from };
        break;
      }
    }
    return { operations, next: undefined };
  }

  /** That it is gone where it was is told by the same operation: the document goes on before all of that. */
  async function firstOf(operation: string): Promise<bigint> {
    const text = "SELECT min(change) AS first FROM recollect.changes WHERE space = $1 AND operation = $2";
    const [row] = await rowsOf(text, operation);
    return BigInt(String(row?.["first"] ?? 0));
  }

  /** Those of one operation have none of another between them: the first of one more says that the others are whole. */
  async function logOfAll(request: LogRequest, start: bigint): Promise<LogPage> {
    const found = new Map<string, Recorded[]>();
    for await (const record of changesBelow(request, start)) {
      const known = found.get(record.operation);
      if (!known && found.size === request.limit)
        return { operations: inOrder(found), next: toPageToken({ below: record.change + 1n, path: undefined }) };
      if (known) known.push(record);
      else found.set(record.operation, [record]);
    }
    return { operations: inOrder(found), next: undefined };
  }

  /**
   * Newest first, and not many more of them than somebody takes: by spans of numbers, since the planner may think it
   * cheaper to sort the whole history than to follow the index. Numbers have gaps where older changes were dropped.
   */
  async function* changesBelow(request: LogRequest, start: bigint): AsyncGenerator<Recorded> {
    const folder = request.folder === undefined ? [] : inFolder(request.folder);
    const { length: filters } = changesWhere(request, folder).values;
    let [limit, span] = [request.limit + 1, filters === 0 ? BigInt(request.limit + 1) : BigInt(mostRows)];
    for (let below = start; below > 0n; ) {
      const from = below > span ? below - span : 0n;
      const { text, values } = changesWhere(request, [["c.change >= ", from], ...folder]);
      const records = (await rowsOf(`${text} ORDER BY c.change DESC LIMIT $3`, below, limit, ...values)).map(
        recordedOf,
      );
      yield* records;
      below = records.length < limit ? from : (records.at(-1)?.change ?? from);
      [limit, span] = [Math.min(limit * 4, mostRows), span * 4n];
    }
  }

  async function endOfSpace(): Promise<bigint> {
    const [row] = await rowsOf("SELECT last_change FROM recollect.spaces WHERE space = $1");
    return BigInt(String(row?.["last_change"] ?? 0)) + 1n;
  }

  function inOrder(found: ReadonlyMap<string, readonly Recorded[]>): Operation[] {
    return [...found.values()].map((records) => toOperation(records.toReversed(), space));
  }

  async function contentOf({ path, rev, ...moment }: Moment): Promise<Uint8Array | undefined> {
    const known = rev ?? (await revAt({ path, ...moment }));
    if (known === undefined) return undefined;
    const [row] = await rowsOf("SELECT content FROM recollect.contents WHERE space = $1 AND rev = $2", known);
    if (row) return row["content"] as Buffer;
    const says = `A revision of “${path}” that history tells of is not there any more. Look at its log again.`;
    throw new RecollectError("STORAGE_FAILED", says, { data: { root: options.root, path } });
  }

  /** What the nearest change before that moment left; where older ones were dropped, what the nearest after it found. */
  async function revAt({ id, path, side }: Moment): Promise<Rev | undefined> {
    const [earlier, later, of] = side === "after" ? ["<=", ">", "max"] : ["<", ">=", "min"];
    const moment = `(SELECT ${of}(change) FROM recollect.changes WHERE space = $1 AND operation = $2)`;
    const [row] = await rowsOf(
      `(SELECT rev, true AS is_before FROM recollect.changes
          WHERE space = $1 AND path = $3 AND change ${earlier} ${moment} ORDER BY change DESC LIMIT 1)
        UNION ALL
        (SELECT was, false FROM recollect.changes
          WHERE space = $1 AND path = $3 AND change ${later} ${moment} ORDER BY change LIMIT 1)
        ORDER BY is_before DESC LIMIT 1`,
      id,
      path,
    );
    return (row?.["rev"] as Rev | null | undefined) ?? undefined;
  }

  return {
    root: options.root,
    // What a store writes down is its history.
    catchUp: async () => ({ kind: "recorded", operations: 0 }),
    log: async (request) => {
      assertTimes(request);
      const place = request.after === undefined ? undefined : parsePageToken(request.after, request);
      if (request.path !== undefined) return logOfDocument(request, place ?? { below: endOfTime, path: request.path });
      return logOfAll(request, place?.below ?? (await endOfSpace()));
    },
    contents: (moments) => Promise.all(moments.map(contentOf)),
    maintain: async () => false,
    trim: async () =>
      options.keepMs === undefined ? 0 : trimChanges(database, space, new Date(options.now() - options.keepMs)),
    acceptLoss: async () => false,
    status: async () => {
      const [row] = await rowsOf(
        "SELECT coalesce(sum(length(content)), 0) AS bytes FROM recollect.contents WHERE space = $1",
      );
      return { refusal: undefined, bytes: Number(row?.["bytes"] ?? 0), faults: [] };
    },
    close: async () => {},
  };
}

function assertTimes({ since, until }: LogRequest): void {
  for (const time of [since, until]) if (time !== undefined && !isTime(time)) throw noTime();
}

/** One that the database can read, too: it writes years of more or fewer digits in another way. */
function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && /^(?!0000)\d{4}-/.test(time.toISOString());
}

function noTime(): RecollectError {
  const says = "“since” and “until” are times of the years 1 to 9999. Give them as in 2026-01-31T12:00:00Z.";
  return new RecollectError("INVALID_ARGUMENT", says);
}

/** `$1` is the space, `$2` the number below which to look, `$3` the limit. */
function changesWhere(
  { author, run, batch, since, until }: LogRequest,
  place: readonly (readonly [string, unknown])[],
): Statement & { readonly values: readonly unknown[] } {
  const conditions: (readonly [string, unknown])[] = [
    ...place,
    ...(author === undefined ? [] : [["c.author = ", author] as const]),
    ...(run === undefined ? [] : [["c.run = ", run] as const]),
    ...(batch === undefined ? [] : [["c.batch = ", batch] as const]),
    ...(since === undefined ? [] : [["c.time >= ", new Date(since)] as const]),
    ...(until === undefined ? [] : [["c.time <= ", new Date(until)] as const]),
  ];
  const asked = conditions.map(([condition], at) => ` AND ${condition}$${at + 4}`).join("");
  return {
    text: `SELECT c.* FROM recollect.changes c WHERE c.space = $1 AND c.change < $2${asked}`,
    values: conditions.map(([, value]) => value),
  };
}

function inFolder(folder: ExistingPath): (readonly [string, unknown])[] {
  return [
    ["c.path > ", `${folder}/`],
    ["c.path < ", `${folder}0`],
  ];
}

export function recordedOf(row: Row): Recorded {
  return { ...(row as unknown as Recorded), change: BigInt(String(row["change"])) };
}

export function toOperation(records: readonly Recorded[], space: string): Operation {
  const [first] = records;
  if (!first) throw new RangeError("An operation has at least one change.");
  const { operation, time, author, run, reason, batch } = first;
  return {
    id: operation,
    time: time.toISOString(),
    author,
    ...(run === null ? {} : { run }),
    ...(reason === null ? {} : { reason }),
    ...(batch === null ? {} : { batch }),
    changes: records.map((record) => toChange(record, space)),
  };
}

function toChange(record: Recorded, space: string): DocumentChange {
  const { path, kind, rev, was, other_path: other } = record;
  const isWithin = record.other_space === space && other !== null;
  return {
    path,
    kind,
    rev: rev ?? undefined,
    was: was ?? undefined,
    ...(isWithin && rev !== null ? { from: other } : {}),
    ...(isWithin && rev === null ? { to: other } : {}),
  };
}

/** Also where somebody renamed it outside of a store, as a history in git had found. */
function movedFrom({ rev, other_space, other_path }: Recorded, space: string): ExistingPath | undefined {
  return rev !== null && other_space === space ? (other_path ?? undefined) : undefined;
}
