import type { ExistingPath } from "../../kernel/document-path.ts";
import type { OperationSource, Written, WrittenOperation } from "../../kernel/operation-source.ts";
import type { Database, Row } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { type Recorded, recordedOf, toOperation } from "./history.ts";

const rowsAtOnce = 2000;

interface SizedRow extends Recorded {
  readonly size: number | null;
}

/** The history of a space as it is now, oldest first. Its positions are numbers of changes. */
export async function openSpaceOperations(database: Database, space: string): Promise<OperationSource> {
  async function rowsOf(text: string, ...values: unknown[]): Promise<readonly Row[]> {
    try {
      const [rows = []] = await database.read([space], { text, values: [space, ...values] });
      return rows;
    } catch (error) {
      throw toDatabaseError(error, "read the history of a space");
    }
  }

  const [head] = await rowsOf("SELECT last_change FROM recollect.spaces WHERE space = $1");
  const end = Number(head?.["last_change"] ?? 0);

  async function* operations(after: number): AsyncGenerator<WrittenOperation> {
    for (let [from, limit] = [after, rowsAtOnce]; from < end; ) {
      const rows = await rowsOf(
        `SELECT c.*,
            (SELECT octet_length(k.content) FROM recollect.contents k WHERE k.space = $1 AND k.rev = c.rev) AS size
          FROM (SELECT * FROM recollect.changes
            WHERE space = $1 AND change > $2 AND change <= $3 ORDER BY change LIMIT $4) AS c ORDER BY c.change`,
        from,
        end,
        limit,
      );
      const groups = [...Map.groupBy(rows.map(sizedOf), ({ operation }) => operation).values()];
      // The last one may go on after these rows.
      const isAll = rows.length < limit;
      const whole = isAll ? groups : groups.slice(0, -1);
      for (const records of whole) yield toWritten(records, space);
      if (isAll) return;
      from = Number(whole.at(-1)?.at(-1)?.change ?? from);
      limit = whole.length === 0 ? limit * 4 : rowsAtOnce;
    }
  }

  return {
    end,
    find: async (id) => {
      const text = "SELECT max(change) AS change FROM recollect.changes WHERE space = $1 AND operation = $2";
      const [row] = await rowsOf(text, id);
      return row?.["change"] == null ? undefined : Number(row["change"]);
    },
    operations,
    contents: async (written) => {
      const revs = [...new Set(written.map(({ rev }) => rev))];
      const rows = await rowsOf("SELECT rev, content FROM recollect.contents WHERE space = $1 AND rev = ANY($2)", revs);
      const found = new Map(rows.map(({ rev, content }) => [rev, content as Buffer]));
      return written.map(({ rev }) => found.get(rev));
    },
  };
}

function sizedOf(row: Row): SizedRow {
  return { ...recordedOf(row), size: row["size"] === null ? null : Number(row["size"]) };
}

function toWritten(records: readonly SizedRow[], space: string): WrittenOperation {
  const left = new Map<ExistingPath, Written>();
  for (const { path, rev, size } of records) {
    if (rev === null) left.delete(path);
    else left.set(path, { path, rev, key: rev, size: size ?? 0 });
  }
  const position = Number(records.at(-1)?.change ?? 0);
  return { ...toOperation(records, space), position, written: [...left.values()] };
}
