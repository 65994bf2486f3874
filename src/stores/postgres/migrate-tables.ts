import { RecollectError } from "../../core/errors.ts";
import { migrations } from "./schema.ts";
import type { Send } from "./transactions.ts";

/** Brings the tables to the newest form, step by step. */
export async function migrateTables(send: Send): Promise<void> {
  const run = async (text: string, ...values: readonly unknown[]) => (await send({ text, values }))[0]?.[0];
  // Servers need no right to make tables where somebody else has made them.
  const there = await run("SELECT to_regclass('recollect.format')::text AS found");
  if (there?.["found"] == null) await makeFormat(run);
  else if ((await run("SELECT version FROM recollect.format"))?.["version"] === migrations.length) return;
  await run("INSERT INTO recollect.format (version) VALUES (0) ON CONFLICT DO NOTHING");
  for (let isDone = false; !isDone; ) {
    await run("BEGIN");
    try {
      // Whoever comes at the same time waits here, and finds it done.
      const version = Number((await run("SELECT version FROM recollect.format FOR UPDATE"))?.["version"] ?? 0);
      if (version > migrations.length) throw newerFormat(version);
      const step = migrations[version];
      isDone = step === undefined;
      for (const text of statementsOf(step ?? "")) await run(text);
      if (!isDone) await run("UPDATE recollect.format SET version = $1", version + 1);
      await run("COMMIT");
    } catch (error) {
      await run("ROLLBACK").catch(() => {});
      throw error;
    }
  }
}

async function makeFormat(run: (text: string) => Promise<unknown>): Promise<void> {
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
