import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** Small records that belong to a space and are no documents: tokens, what the guard lets pass, what was purged. */
export interface SpaceRecords {
  read(kind: string, name: string): Promise<string | undefined>;
  write(kind: string, name: string, record: string): Promise<void>;
  /** Whether there was any. */
  remove(kind: string, name: string): Promise<boolean>;
  list(kind: string): Promise<readonly { readonly name: string; readonly record: string }[]>;
}

export function openSpaceRecords(database: Database, space: string): SpaceRecords {
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
