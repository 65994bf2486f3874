import { setTimeout } from "node:timers/promises";
import { RecollectError } from "../../kernel/errors.ts";
import type { Row } from "./database.ts";
import { migrations } from "./schema.ts";
import type { Send } from "./transactions.ts";

type Run = (text: string, ...values: readonly unknown[]) => Promise<Row | undefined>;

/**
 * A step waits for everybody who is in a transaction, and everybody who comes after it waits behind it: so it waits for a
 * moment only, and comes again after a pause in which they go on.
 */
const stepWaitMs = 500;
const patienceMs = 60_000;
const [firstPauseMs, longestPauseMs] = [250, 4000];

/** Brings the tables to the newest form, step by step. */
export async function migrateTables(send: Send, mostMs: number = patienceMs): Promise<void> {
  const run: Run = async (text, ...values) => (await send({ text, values }))[0]?.[0];
  // Servers need no right to make tables where somebody else has made them.
  const there = await run("SELECT to_regclass('recollect.format')::text AS found");
  if (there?.["found"] == null) await makeFormat(run);
  else if ((await run("SELECT version FROM recollect.format"))?.["version"] === migrations.length) return;
  await run("INSERT INTO recollect.format (version) VALUES (0) ON CONFLICT DO NOTHING");
  const end = performance.now() + mostMs;
  for (let [isDone, pauseMs] = [false, firstPauseMs]; !isDone; ) {
    try {
      isDone = await takeStep(run);
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      if (performance.now() + pauseMs > end) throw tablesInUse(error);
      await setTimeout(pauseMs * (0.5 + Math.random() / 2));
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
  }
}

/** Whether none was left. */
async function takeStep(run: Run): Promise<boolean> {
  await run("BEGIN");
  try {
    await run(`SET LOCAL lock_timeout = ${stepWaitMs}`);
    // Whoever comes at the same time waits here, and finds it done.
    const version = Number((await run("SELECT version FROM recollect.format FOR UPDATE"))?.["version"] ?? 0);
    if (version > migrations.length) throw newerFormat(version);
    const step = migrations[version];
    for (const text of statementsOf(step ?? "")) await run(text);
    if (step !== undefined) await run("UPDATE recollect.format SET version = $1", version + 1);
    await run("COMMIT");
    return step === undefined;
  } catch (error) {
    await run("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Somebody held what it needs for too long, as a wait for a lock ends or as any statement does. */
function isInTheWay(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "57014");
}

function tablesInUse(cause: unknown): RecollectError {
  const says = `Cannot bring the tables to the newest form: somebody has had a transaction open on them all the time. Nothing is changed, and whoever works there goes on. End what is open for long (see “xact_start” in pg_stat_activity), such as a backup, then start Recollect again.`;
  return new RecollectError("BUSY", says, { cause });
}

async function makeFormat(run: Run): Promise<void> {
  await run("CREATE SCHEMA IF NOT EXISTS recollect");
  await run(
    "CREATE TABLE IF NOT EXISTS recollect.format (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), version integer NOT NULL)",
  );
}

/** Nothing in a step holds a semicolon but the ends of its statements. */
function statementsOf(step: string): readonly string[] {
  return step.split(";").filter((text) => text.trim() !== "");
}

function newerFormat(version: number): RecollectError {
  return new RecollectError(
    "UNSUPPORTED_FORMAT",
    `The tables have format ${version}, and this Recollect knows up to ${migrations.length}. Update it.`,
  );
}
