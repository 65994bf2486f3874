import { readRecord, recordFormat, toRecordText } from "../backends/files/record-format.ts";
import type { SpaceRecords } from "../backends/postgres/space-records.ts";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import { createFreshCopy } from "./fresh-copy.ts";
import type { RecordPlace, Records, RecordsOptions } from "./records.ts";

/** How long a server may go by what it knew before it looks again. */
export const mostRecordAgeMs = 1000;

/** In a space of the database, where all servers see the same. */
export function recordsInSpace(kept: SpaceRecords): RecordPlace {
  return { open: (options) => openRecords(kept, options) };
}

function openRecords<Entry extends object>(kept: SpaceRecords, options: RecordsOptions<Entry>): Records<Entry> {
  const { kind, schema, what, remedy } = options;
  const stamp = createFreshCopy({
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
