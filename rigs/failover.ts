// PG-1 PG-2: a primary and a synchronous standby. The primary is killed for good under load, the standby is promoted,
// and the servers find it by themselves: no acknowledged write is lost. --long: ten times as much of it.
import { setTimeout as delay } from "node:timers/promises";
import { callTool } from "./mcp-call.ts";
import { type AgentTokens, openFleet } from "./open-fleet.ts";
import { createPostgresServer, createStandby } from "./postgres-server.ts";
import { closeRig, readRigOptions } from "./rig-report.ts";
import type { ServeProcess } from "./serve-process.ts";

const { long, broken } = readRigOptions(0);
const agents = 8;
const enough = long ? 1500 : 150;

const fleet = openFleet("failover", broken);
const { base, servers, report, violations } = fleet;
const primary = await createPostgresServer({ base });
await primary.stop("SIGINT");
const standby = await createStandby(primary, { base });
try {
  await primary.start();
  await standby.start();
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await primary.query("SELECT pg_reload_conf()");
  await until("the standby is synchronous", async () => {
    const [row] = await primary.query("SELECT count(*) AS count FROM pg_stat_replication WHERE sync_state = 'sync'");
    return Number(row?.["count"]) === 1;
  });
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(",");
  const env = {
    RECOLLECT_DATABASE_URL: `postgres://recollect:recollect@${hosts}/recollect?target_session_attrs=read-write`,
    RECOLLECT_DATABASE_SPACE: "failover",
  };
  const tokens = await fleet.begin({ names: ["one", "two"], env, agents });
  await failOver(tokens);
  await fleet.judge(standby);
} finally {
  await fleet.end([standby, primary]);
}
violations.print();
closeRig("rig:failover", broken, fleet.isCaught());

async function failOver(tokens: AgentTokens): Promise<void> {
  let isOver = false;
  const working = fleet.work(tokens, 1, () => isOver);
  await until("some work is done", async () => report.operations >= enough);
  await primary.stop("SIGKILL");
  const [cut, before] = [Date.now(), report.operations];
  await delay(1000);
  await standby.query("SELECT pg_promote()");
  const promoted = Date.now();
  await until("servers work again", async () => report.operations > before + 2 * agents);
  console.log(`  the primary was gone for ${promoted - cut} ms; ${Date.now() - promoted} ms later all work went on`);
  await until("some more work is done", async () => report.operations >= before + enough);
  isOver = true;
  await working;
  for (const [index, server] of servers.entries()) {
    const [token = ""] = tokens.values();
    await write(server, token, "write_memory", { memory_name: `after/${index}`, content: "# After\n" });
  }
  fleet.print(`${report.operations} operations`);
}

async function write(
  { origin, name }: ServeProcess,
  token: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const outcome = await callTool({ origin, token }, tool, args);
  if (outcome.kind !== "answered") violations.add("answers", `${name}, ${tool}: ${outcome.says}`);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; !(await isSo()); await delay(100)) {
    if (Date.now() > end) throw new Error(`In two minutes it did not happen that ${what}.`);
  }
}
