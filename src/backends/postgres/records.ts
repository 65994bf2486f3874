import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { readRecord, recordFormat, toRecordText } from "../../kernel/record-format.ts";
import type { RecordPlace, Records, RecordsOptions } from "../../kernel/records.ts";
import { createTtlCache } from "../../kernel/ttl-cache.ts";
import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { openPurgedValues } from "./purged-values.ts";

/** How long a server may go by what it knew before it looks again. */
const mostRecordAgeMs = 1000;

/** Records of a space that are no documents: all servers see the same. */
export function recordsInSpace(database: Database, space: string): RecordPlace {
  const rows = recordRows(database, space);
  const open: RecordPlace["open"] = (options) => openRecords(rows, options);
  return { open, purgedValues: openPurgedValues(open, mostRecordAgeMs) };
}

function openRecords<Entry extends object>(kept: RecordRows, options: RecordsOptions<Entry>): Records<Entry> {
  const { kind, schema, what, remedy } = options;
  const stamp = createTtlCache({
    mostMs: mostRecordAgeMs,
    load: async () => JSON.stringify((await kept.list(kind)).map(({ name, record }) => [name, record])),
  });

  function entryOf(name: string, text: string): Entry {
    const found = readRecord(text, schema);
    if (found.kind === "entry") return found.entry;
    const record = `${kind}/${name}`;
    if (found.kind === "newer") throw newerFormat(record, what);
    const says = `A record of ${what} is damaged: ${record} in the database. Remove that row of recollect.records${remedy}.`;
    throw new RecollectError("STORAGE_FAILED", says, { data: { record } });
  }

  return {
    read: async (name) => {
      const text = await kept.read(kind, name);
      return text === undefined ? undefined : entryOf(name, text);
    },
    write: async (name, entry) => {
      const before = await kept.read(kind, name);
      if (before !== undefined && readRecord(before, schema).kind === "newer") {
        throw newerFormat(`${kind}/${name}`, what);
      }
      await kept.write(kind, name, toRecordText(entry));
      stamp.drop();
    },
    remove: async (name) => {
      const isRemoved = await kept.remove(kind, name);
      stamp.drop();
      return isRemoved;
    },
    list: async (onUnreadable) =>
      (await kept.list(kind)).flatMap(({ name, record }) => {
        try {
          return [{ name, entry: entryOf(name, record) }];
        } catch (error) {
          if (!onUnreadable || !isRecollectError(error)) throw error;
          onUnreadable(error);
          return [];
        }
      }),
    stamp: stamp.get,
  };
}

function newerFormat(record: string, what: string): RecollectError {
  return new RecollectError(
    "UNSUPPORTED_FORMAT",
    `A record of ${what} was written by a newer Recollect: ${record} in the database. Update Recollect, or remove that row of recollect.records.`,
    { data: { record, supported: recordFormat } },
  );
}

interface RecordRows {
  read(kind: string, name: string): Promise<string | undefined>;
  write(kind: string, name: string, record: string): Promise<void>;
  /** Whether there was any. */
  remove(kind: string, name: string): Promise<boolean>;
  list(kind: string): Promise<readonly { readonly name: string; readonly record: string }[]>;
}

function recordRows(database: Database, space: string): RecordRows {
  async function told<Result>(doing: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toDatabaseError(error, doing);
    }
  }

  function changed(doing: string, text: string, ...values: readonly string[]): Promise<boolean> {
    return told(doing, () =>
      database.transaction([space], async (transaction) => {
        const [rows = []] = await transaction.run({ text, values: [space, ...values] });
        await transaction.commit();
        return rows.length > 0;
      }),
    );
  }

  return {
    read: (kind, name) =>
      told("read a record", async () => {
        const [[row] = []] = await database.read([space], {
          // With each request of a client.
          name: "recollect record",
          text: "SELECT record FROM recollect.records WHERE space = $1 AND kind = $2 AND name = $3",
          values: [space, kind, name],
        });
        return row && String(row["record"]);
      }),
    write: async (kind, name, record) => {
      await changed(
        "write a record",
        `INSERT INTO recollect.records (space, kind, name, record) VALUES ($1, $2, $3, $4)
          ON CONFLICT (space, kind, name) DO UPDATE SET record = excluded.record`,
        kind,
        name,
        record,
      );
    },
    remove: (kind, name) =>
      changed(
        "remove a record",
        "DELETE FROM recollect.records WHERE space = $1 AND kind = $2 AND name = $3 RETURNING name",
        kind,
        name,
      ),
    list: (kind) =>
      told("read records", async () => {
        const [rows = []] = await database.read([space], {
          text: "SELECT name, record FROM recollect.records WHERE space = $1 AND kind = $2 ORDER BY name",
          values: [space, kind],
        });
        return rows.map(({ name, record }) => ({ name: String(name), record: String(record) }));
      }),
  };
}
