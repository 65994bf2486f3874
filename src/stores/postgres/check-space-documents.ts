import type { VerifyFinding } from "../../history/verify/finding.ts";
import type { Row } from "./database.ts";
import type { SpaceCheck, SpaceReader } from "./space-reader.ts";

const rowsAtOnce = 2000;

/** Every document must have its content, and a change that tells of it. */
export const checkSpaceDocuments: SpaceCheck = async (reader, _, seen) => {
  const findings: VerifyFinding[] = [];
  let count = 0;
  for (let after = ""; ; ) {
    const rows = await reader.rows(
      `SELECT d.path, d.rev, d.size, octet_length(k.content) AS bytes,
          EXISTS (SELECT 1 FROM recollect.changes c WHERE c.space = d.space AND c.path = d.path) AS is_told
        FROM recollect.documents d LEFT JOIN recollect.contents k ON k.space = d.space AND k.rev = d.rev
        WHERE d.space = $1 AND d.path > $2 ORDER BY d.path LIMIT $3`,
      after,
      rowsAtOnce,
    );
    findings.push(...rows.flatMap((row) => faultOf(reader, row)));
    seen(rows.length);
    count += rows.length;
    after = String(rows.at(-1)?.["path"] ?? after);
    if (rows.length < rowsAtOnce) return { findings, count };
  }
};

function faultOf(reader: SpaceReader, { path, rev, size, bytes, is_told: isTold }: Row): VerifyFinding[] {
  const about = (says: string) => [reader.damaged("document", `“${path}” ${says}.`, { path: String(path) })];
  if (bytes === null) return about(`has no content: its revision ${rev} is missing`);
  if (Number(bytes) !== Number(size)) return about(`is said to have ${size} bytes, and has ${bytes}`);
  return isTold ? [] : about("came without a record");
}
