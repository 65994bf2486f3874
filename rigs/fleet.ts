// PG-1 PG-2: three servers on one PostgreSQL and 32 agents with tokens of their own, while servers and the database are
// killed and started again, and answers of the database get lost on their way. No acknowledged write is lost or doubled, each agent reads and finds its own writes on any
// server, revisions form chains, and search agrees with a rebuild. --long: 20,000 operations.
import { setTimeout as delay } from "node:timers/promises";
import { databaseProxy } from "../test/helpers/database-proxy.ts";
import { rankingOf } from "./fleet-judge.ts";
import { type AgentTokens, openFleet } from "./open-fleet.ts";
import { createPostgresServer } from "./postgres-server.ts";
import { createRandom } from "./random.ts";
import { closeRig, readRigOptions } from "./rig-report.ts";
import type { ServeProcess } from "./serve-process.ts";

const { long, broken, seconds } = readRigOptions(25);
const agents = 32;
const names = ["server-1", "server-2", "server-3"];
const enough = long ? { operations: 20_000, kills: 40, restarts: 15 } : { operations: 600, kills: 4, restarts: 2 };
/** Between two of them, in milliseconds: at least, and how much more by chance. */
const pauses = long ? { kill: [3000, 6000], restart: [10_000, 15_000] } : { kill: [1500, 3000], restart: [5000, 5000] };
const mostMs = (long ? 3600 : 8 * seconds) * 1000;
const seed = Date.now() % 1_000_000;
const random = createRandom(seed);

const fleet = openFleet("fleet", broken);
const { base, servers, report, violations } = fleet;
const postgres = await createPostgresServer({ base });
const wire = await databaseProxy(postgres.url);
let [kills, restarts, swallowed, isOver] = [0, 0, 0, false];
try {
  console.log(`  seed ${seed}`);
  const env = { RECOLLECT_DATABASE_URL: wire.url, RECOLLECT_DATABASE_SPACE: "fleet" };
  const tokens = await fleet.begin({ names, env, agents });
  const begun = Date.now();
  const working = fleet.work(tokens, seed, () => isOver);
  const tormenting = Promise.all([killServers(), restartDatabase(), swallowAnswers()]);
  await untilEnough(begun);
  isOver = true;
  await tormenting;
  await working;
  const took = Math.round((Date.now() - begun) / 1000);
  fleet.print(
    `${report.operations} operations in ${took} s, ${kills} servers killed, ${restarts} times the database, ${swallowed} answers swallowed`,
  );
  await fleet.judge(postgres);
  await judgeSearch(tokens);
} finally {
  await wire.close();
  await fleet.end([postgres]);
}
violations.print();
closeRig("rig:fleet", broken, fleet.isCaught());

function pause([least = 0, more = 0]: readonly number[]): Promise<void> {
  return delay(least + random() * more);
}

async function killServers(): Promise<void> {
  while (!isOver) {
    await pause(pauses.kill);
    const victim = servers[Math.floor(random() * servers.length)];
    if (isOver || !victim?.isUp()) continue;
    await victim.kill();
    kills += 1;
    await delay(random() * 500);
    await victim.start();
  }
}

async function restartDatabase(): Promise<void> {
  while (!isOver) {
    await pause(pauses.restart);
    if (isOver) return;
    await postgres.stop(random() < 0.7 ? "SIGQUIT" : "SIGINT");
    restarts += 1;
    await delay(random() * 1500);
    await postgres.start();
  }
}

/** Often, since few of them are of a commit that appends something, and only that can be seen to be there twice. */
async function swallowAnswers(): Promise<void> {
  while (!isOver) {
    await delay(30 + random() * 120);
    wire.swallow();
    swallowed += 1;
  }
}

async function untilEnough(begun: number): Promise<void> {
  for (let shown = begun; ; await delay(200)) {
    const { operations } = report;
    if (operations >= enough.operations && kills >= enough.kills && restarts >= enough.restarts) return;
    if (Date.now() - begun > mostMs)
      return violations.add("slow", `only ${operations} operations, ${kills} kills, ${restarts} restarts`);
    if (Date.now() - shown < 10_000) continue;
    shown = Date.now();
    console.log(
      `  ${Math.round((shown - begun) / 1000)} s: ${operations} operations, ${kills} kills, ${restarts} restarts`,
    );
  }
}

/** All servers find the same, and so does one that begins with nothing. */
async function judgeSearch(tokens: AgentTokens): Promise<void> {
  const chosen = [...tokens].filter((_, index) => index % 4 === 0);
  const words = report.acknowledged.filter(({ isReplaced }) => !isReplaced).slice(-8);
  const found = async ({ origin }: ServeProcess) => {
    const answers: string[] = [];
    for (const [name, token] of chosen) {
      for (const query of [`learned by ${name}`, "shared turn", ...words.map(({ word }) => word)]) {
        answers.push(`${name}, ${query}:\n${await rankingOf(origin, token, query)}`);
      }
    }
    return answers;
  };
  const [first, ...others] = servers;
  if (!first) return;
  const before = await Promise.all(servers.map(found));
  await first.kill();
  first.forget();
  await first.start();
  const rebuilt = await found(first);
  for (const [index, answers] of before.entries()) {
    const different = answers.findIndex((answer, number) => answer !== rebuilt[number]);
    if (different >= 0)
      violations.add(
        "search",
        `server-${index + 1} differs from a rebuild: ${answers[different]} / ${rebuilt[different]}`,
      );
  }
  console.log(`  ${rebuilt.length} searches compared on ${others.length + 1} servers and a rebuild`);
}
