import { setTimeout as delay } from "node:timers/promises";
import type { FleetReport } from "./fleet-agent.ts";
import { callTool } from "./mcp-call.ts";
import type { PostgresServer } from "./postgres-server.ts";
import type { Violations } from "./rig-report.ts";

const marks = /\bmk\d+x\d+q\b/g;

interface StoredRow {
  readonly space: string;
  readonly path: string;
  readonly content: string;
}

/** Each acknowledged mark is there once; one of which nobody heard may be there once; none is there twice. */
export async function judgeWrites(
  postgres: PostgresServer,
  report: FleetReport,
  violations: Violations,
): Promise<void> {
  const rows = (await postgres.query(
    `SELECT d.space, d.path, convert_from(c.content, 'UTF8') AS content FROM recollect.documents d
      JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev`,
  )) as unknown as readonly StoredRow[];
  const times = new Map<string, number>();
  for (const { content } of rows) {
    for (const word of content.match(marks) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
  }
  for (const mark of report.acknowledged) {
    const found = times.get(mark.word) ?? 0;
    if (found > 1) violations.add("doubled", `${mark.word} in ${mark.path}: ${found} times`);
    if (found === 0 && !mark.isReplaced) violations.add("lost", `${mark.word} in ${mark.path}`);
  }
  for (const mark of report.unknown) {
    const found = times.get(mark.word) ?? 0;
    if (found > 1) violations.add("doubled", `${mark.word} in ${mark.path}, unacknowledged: ${found} times`);
  }
}

/** What was replaced is in history. */
export async function judgeReplaced(
  postgres: PostgresServer,
  report: FleetReport,
  violations: Violations,
): Promise<void> {
  const rows = await postgres.query("SELECT convert_from(content, 'UTF8') AS content FROM recollect.contents");
  const written = new Set(rows.flatMap(({ content }) => String(content).match(marks) ?? []));
  for (const { word, path, isReplaced } of report.acknowledged) {
    if (isReplaced && !written.has(word)) violations.add("lost", `${word} in ${path}, of which no revision tells`);
  }
}

/** Changes are numbered without a gap, each follows on the one before it, and the last one is what is there. */
export async function judgeChains(postgres: PostgresServer, violations: Violations): Promise<void> {
  const broken = await postgres.query(
    `SELECT space, path, change FROM (
        SELECT *, lag(rev) OVER (PARTITION BY space, path ORDER BY change) AS before FROM recollect.changes) AS chain
      WHERE was IS DISTINCT FROM before`,
  );
  for (const { space, path, change } of broken)
    violations.add("chain", `${space} ${path}: change ${change} follows on another`);
  const gaps = await postgres.query(
    `SELECT s.space, s.last_change, count(c.change) AS found FROM recollect.spaces s
      LEFT JOIN recollect.changes c ON c.space = s.space GROUP BY s.space, s.last_change
      HAVING s.last_change <> count(c.change) OR s.last_change <> coalesce(max(c.change), 0)`,
  );
  for (const { space, last_change: last, found } of gaps)
    violations.add("chain", `${space}: ${found} changes, the last is ${last}`);
  const others = await postgres.query(
    `SELECT d.space, d.path FROM recollect.documents d WHERE d.rev IS DISTINCT FROM (
      SELECT c.rev FROM recollect.changes c WHERE c.space = d.space AND c.path = d.path ORDER BY c.change DESC LIMIT 1)`,
  );
  for (const { space, path } of others) violations.add("chain", `${space} ${path} is not what its last change made it`);
}

/** What a search finds, best first. */
export async function rankingOf(origin: string, token: string, query: string): Promise<string> {
  const outcome = await callTool({ origin, token }, "search_memory", { query });
  if (outcome.kind !== "answered") return `${outcome.kind}: ${outcome.says}`;
  const { hits = [], warnings = [] } = outcome.content as {
    readonly hits?: readonly Readonly<Record<string, unknown>>[];
    readonly warnings?: readonly string[];
  };
  if (warnings.some((warning) => warning.includes("still being built"))) {
    await delay(200);
    return rankingOf(origin, token, query);
  }
  return hits.map(({ root, path, start_line: line }) => `${root} ${path} ${line}`).join("\n");
}
