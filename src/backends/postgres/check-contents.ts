import type { VerifyFinding } from "../../kernel/finding.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Row } from "./database.ts";
import { inBatches, type SpaceCheck, type SpaceReader } from "./space-reader.ts";

const rowsAtOnce = 2000;
const bytesAtOnce = 8 * 1024 * 1024;
/** No index leads from a revision to its document: where all are wrong, nobody looks for each of them. */
const mostNamed = 100;

/** Every content must have the bytes that its revision is the hash of. */
export const checkContents: SpaceCheck = async (reader, _, seen) => {
  const findings: VerifyFinding[] = [];
  let count = 0;
  for (let after = ""; ; ) {
    const rows = await reader.rows(
      `SELECT rev, octet_length(content) AS size FROM recollect.contents
        WHERE space = $1 AND rev > $2 ORDER BY rev LIMIT $3`,
      after,
      rowsAtOnce,
    );
    const listed = rows.map(({ rev, size }) => ({ rev: String(rev), size: Number(size) }));
    for (const batch of inBatches(listed, bytesAtOnce)) {
      for (const rev of await wrongOnes(reader, batch)) {
        const row = findings.length < mostNamed ? await changeWith(reader, rev) : undefined;
        findings.push(toFinding(reader, rev, row));
      }
      seen(batch.length);
    }
    count += rows.length;
    after = listed.at(-1)?.rev ?? after;
    if (rows.length < rowsAtOnce) return { findings, count };
  }
};

async function wrongOnes(reader: SpaceReader, batch: readonly { readonly rev: string }[]): Promise<string[]> {
  const rows = await reader.rows(
    "SELECT rev, content FROM recollect.contents WHERE space = $1 AND rev = ANY($2)",
    batch.map(({ rev }) => rev),
  );
  return rows.flatMap(({ rev, content }) => (revisionOf(content as Buffer) === rev ? [] : [String(rev)]));
}

/** Where it is, or was; preferably where it is. */
async function changeWith(reader: SpaceReader, rev: string): Promise<Row | undefined> {
  const [row] = await reader.rows(
    `SELECT c.path, d.rev IS NOT NULL AS is_current FROM recollect.changes c
      LEFT JOIN recollect.documents d ON d.space = c.space AND d.path = c.path AND d.rev = c.rev
      WHERE c.space = $1 AND c.rev = $2 ORDER BY is_current DESC, c.change DESC LIMIT 1`,
    rev,
  );
  return row;
}

function toFinding(reader: SpaceReader, rev: string, row: Row | undefined): VerifyFinding {
  if (!row) return reader.damaged("history", `The revision ${rev} has other bytes than it had.`);
  const path = String(row["path"]);
  const part = row["is_current"] === true ? "document" : "history";
  return reader.damaged(part, `The revision ${rev} of “${path}” has other bytes than it had.`, { path });
}
