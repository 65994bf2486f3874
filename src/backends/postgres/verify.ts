import type { OnVerifyProgress, RootVerification } from "../../kernel/finding.ts";
import { checkChanges } from "./check-changes.ts";
import { checkContents } from "./check-contents.ts";
import { checkSpaceDocuments } from "./check-space-documents.ts";
import type { Database } from "./database.ts";
import { createSpaceReader, type SeenStand, type SpaceReader } from "./space-reader.ts";

export interface VerifySpaceOptions {
  readonly database: Database;
  readonly space: string;
  /** What callers call it. */
  readonly root: string;
  readonly onProgress?: OnVerifyProgress | undefined;
}

/** Whoever trims or purges meanwhile makes what was seen and what is seen then disagree. */
const mostLooks = 4;

/** Proves that documents, changes and contents of a space agree, page by page, and changes nothing. */
export async function verifySpace(options: VerifySpaceOptions): Promise<RootVerification> {
  const reader = createSpaceReader(options.database, options.space, options.root);
  for (let looks = 1; ; looks += 1) {
    const stand = await standOf(reader);
    const seen = await lookAt(reader, stand, options);
    const now = await standOf(reader);
    const isSteady = stand.released === now.released && stand.purges === now.purges;
    if (seen.findings.length === 0 || isSteady || looks === mostLooks) return seen;
  }
}

async function standOf(reader: SpaceReader): Promise<SeenStand> {
  const [row] = await reader.rows("SELECT last_change, released, purges FROM recollect.spaces WHERE space = $1");
  const number = (name: string) => BigInt(String(row?.[name] ?? 0));
  return { last: number("last_change"), released: number("released"), purges: number("purges") };
}

async function lookAt(
  reader: SpaceReader,
  stand: SeenStand,
  { onProgress }: VerifySpaceOptions,
): Promise<RootVerification> {
  const { root } = reader;
  const [counts] = await reader.rows(
    `SELECT (SELECT count(*) FROM recollect.contents WHERE space = $1)
        + (SELECT count(*) FROM recollect.documents WHERE space = $1)
        + (SELECT count(*) FROM recollect.changes WHERE space = $1) AS rows,
      (SELECT count(DISTINCT operation) FROM recollect.changes WHERE space = $1) AS operations`,
  );
  const total = Number(counts?.["rows"] ?? 0);
  let done = 0;
  const seen = (rows: number) => {
    done += rows;
    onProgress?.({ root, doing: "database", done: Math.min(done, total), total });
  };
  const contents = await checkContents(reader, stand, seen);
  const changes = await checkChanges(reader, stand, seen);
  const documents = await checkSpaceDocuments(reader, stand, seen);
  return {
    root,
    documents: documents.count,
    operations: Number(counts?.["operations"] ?? 0),
    revisions: changes.count,
    pending: 0,
    findings: [...contents.findings, ...changes.findings, ...documents.findings],
  };
}
