import type { VerifyFinding } from "../../kernel/finding.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { SeenStand, SpaceCheck, SpaceReader } from "./space-reader.ts";

/** One change as its row has it, with what else there must be. */
interface Link {
  readonly path: string;
  readonly change: bigint;
  readonly operation: string;
  readonly rev: Rev | null;
  readonly was: Rev | null;
  readonly time: Date;
  readonly has_rev: boolean;
  readonly has_was: boolean;
  /** Of the document that is there now. */
  readonly now: Rev | null;
  /** Whether it was changed again while this is looked at. */
  readonly is_later: boolean;
}

const rowsAtOnce = 2000;

/** The changes of each path must be one chain that ends with what is there, and all of them must be there. */
export const checkChanges: SpaceCheck = async (reader, stand, seen) => {
  const findings: VerifyFinding[] = [...(await gapsIn(reader, stand))];
  let count = 0;
  let chain: Link[] = [];
  for (let [path, change] = ["", 0n]; ; ) {
    const rows = await pageOf(reader, stand, { path, change });
    for (const link of rows) {
      if (chain[0] && chain[0].path !== link.path) {
        findings.push(...endFault(reader, chain));
        chain = [];
      }
      findings.push(...faultsOf(reader, link, chain, stand));
      // Only the last operation counts for the next link.
      chain = chain.at(-1)?.operation === link.operation ? [...chain, link] : [...chain.slice(-1), link];
      if (link.rev !== null) count += 1;
    }
    seen(rows.length);
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) break;
    [path, change] = [last.path, last.change];
  }
  findings.push(...endFault(reader, chain));
  return { findings, count };
};

/**
 * What else there must be is looked up one by one, where one index alone leads to it: of a join, or of a choice between
 * indexes, a database that knows little of a space may think that it is best to read all of it for each row.
 */
async function pageOf(
  reader: SpaceReader,
  { last }: SeenStand,
  after: { readonly path: string; readonly change: bigint },
): Promise<Link[]> {
  const rows = await reader.rows(
    `SELECT c.path, c.change, c.operation, c.rev, c.was, c.time,
        (SELECT true FROM recollect.contents k WHERE k.space = $1 AND k.rev = c.rev) IS NOT NULL AS has_rev,
        (SELECT true FROM recollect.contents w WHERE w.space = $1 AND w.rev = c.was) IS NOT NULL AS has_was,
        (SELECT d.rev FROM recollect.documents d WHERE d.space = $1 AND d.path = c.path) AS now
      FROM (SELECT * FROM recollect.changes
          WHERE space = $1 AND (path, change) > ($2, $3) AND change <= $4 ORDER BY path, change LIMIT $5) AS c
      ORDER BY c.path, c.change`,
    after.path,
    after.change,
    last,
    rowsAtOnce,
  );
  // After them: what was changed in between counts as changed again.
  const changed = await reader.rows(
    "SELECT DISTINCT path FROM recollect.changes WHERE space = $1 AND change > $2",
    last,
  );
  const later = new Set(changed.map(({ path }) => path));
  return rows.map((row) => ({
    ...(row as unknown as Omit<Link, "is_later">),
    change: BigInt(String(row["change"])),
    is_later: later.has(row["path"]),
  }));
}

/** `before` are the changes of the same path by the last operation, and the one before that. */
function faultsOf(reader: SpaceReader, link: Link, before: readonly Link[], { released }: SeenStand): VerifyFinding[] {
  const { path, rev, was, time } = link;
  const about = (says: string, since: Date) => reader.damaged("history", says, { path, since: since.toISOString() });
  const faults: VerifyFinding[] = [];
  if (rev !== null && !link.has_rev) faults.push(about(`The revision ${rev} of “${path}” is missing.`, time));
  const last = before.at(-1);
  if (!last) {
    // What was before it may have grown old and been dropped, or been before history began elsewhere.
    const isKnown = was === null || (released > 0n && link.has_was);
    if (!isKnown) faults.push(about(`What “${path}” was before its first change is not there.`, time));
    return faults;
  }
  // Two documents that became one are told of by one operation.
  const ends = last.operation === link.operation ? before : [last];
  if (ends.every((one) => one.rev !== was)) {
    faults.push(
      about(`The changes of “${path}” do not follow one another: some are missing, or were changed.`, last.time),
    );
  }
  return faults;
}

function endFault(reader: SpaceReader, chain: readonly Link[]): VerifyFinding[] {
  const last = chain.at(-1);
  if (!last || last.is_later || last.rev === last.now) return [];
  const { path, rev, now, time } = last;
  const what =
    now === null
      ? "is gone"
      : rev === null
        ? "was removed, and is there"
        : `is not what was last recorded (revision ${rev})`;
  const more = { path, since: time.toISOString(), ...(rev === null ? {} : { rev }) };
  return [reader.damaged("document", `“${path}” ${what}.`, { ...more, remedy: "write it once more as it is." })];
}

/** Changes are numbered without a gap, but for those that grew old and were dropped. */
async function gapsIn(reader: SpaceReader, { last, released }: SeenStand): Promise<VerifyFinding[]> {
  const [row] = await reader.rows(
    `SELECT count(*) FILTER (WHERE change <= $3) AS found, count(*) FILTER (WHERE change > s.last_change) AS beyond
      FROM recollect.changes c JOIN recollect.spaces s ON s.space = c.space WHERE c.space = $1 AND change > $2`,
    released,
    last,
  );
  const missing = (last > released ? last - released : 0n) - BigInt(String(row?.["found"] ?? 0));
  const beyond = Number(row?.["beyond"] ?? 0);
  return [
    ...(missing > 0n ? [reader.damaged("history", `${missing} of the changes are missing.`)] : []),
    ...(beyond > 0 ? [reader.damaged("history", `${beyond} changes are there that nobody counted.`)] : []),
  ];
}
