import type { VerifyFinding } from "../../kernel/finding.ts";
import type { Row } from "./database.ts";
import type { SpaceCheck, SpaceReader } from "./space-reader.ts";

const rowsAtOnce = 2000;

/** Every document must have its content, and a change that tells of it. */
export const checkSpaceDocuments: SpaceCheck = async (reader, _, seen) => {
  const findings: VerifyFinding[] = [];
  let count = 0;
  for (let after = ""; ; ) {
    const rows = await reader.rows(
      `SELECT d.path, d.rev, d.size,
          (SELECT octet_length(k.content) FROM recollect.contents k WHERE k.space = $1 AND k.rev = d.rev) AS bytes
        FROM (SELECT * FROM recollect.documents WHERE space = $1 AND path > $2 ORDER BY path LIMIT $3) AS d
        ORDER BY d.path`,
      after,
      rowsAtOnce,
    );
    const told = await toldBetween(reader, after, String(rows.at(-1)?.["path"] ?? after));
    findings.push(...rows.flatMap((row) => faultOf(reader, row, told)));
    seen(rows.length);
    count += rows.length;
    after = String(rows.at(-1)?.["path"] ?? after);
    if (rows.length < rowsAtOnce) return { findings, count };
  }
};

/** The paths of which a change tells, in one go: for each by itself, a database may take an index that does not lead there. */
async function toldBetween(reader: SpaceReader, after: string, last: string): Promise<ReadonlySet<unknown>> {
  const rows = await reader.rows(
    "SELECT DISTINCT path FROM recollect.changes WHERE space = $1 AND path > $2 AND path <= $3",
    after,
    last,
  );
  return new Set(rows.map(({ path }) => path));
}

function faultOf(reader: SpaceReader, { path, rev, size, bytes }: Row, told: ReadonlySet<unknown>): VerifyFinding[] {
  const about = (says: string) => [reader.damaged("document", `“${path}” ${says}.`, { path: String(path) })];
  if (bytes === null) return about(`has no content: its revision ${rev} is missing`);
  if (Number(bytes) !== Number(size)) return about(`is said to have ${size} bytes, and has ${bytes}`);
  return told.has(path) ? [] : about("came without a record");
}
