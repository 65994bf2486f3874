// PG-1 PG-2: three servers on one PostgreSQL and 32 agents with tokens of their own, while servers and the database are
// killed and started again. No acknowledged write is lost or doubled, each agent reads and finds its own writes on any
// server, revisions form chains, and search agrees with a rebuild. --long: 20,000 operations.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type FleetReport, runFleetAgent } from "./fleet-agent.ts";
import { judgeChains, judgeReplaced, judgeWrites, rankingOf } from "./fleet-judge.ts";
import { makeAgentTokens } from "./fleet-tokens.ts";
import { createPostgresServer } from "./postgres-server.ts";
import { createRandom } from "./random.ts";
import { closeRig, createViolations, readRigOptions } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";
import { createServeProcess, type ServeProcess } from "./serve-process.ts";

const { long, broken, seconds } = readRigOptions(25);
const [agents, servers] = [32, 3];
const enough = long ? { operations: 20_000, kills: 40, restarts: 15 } : { operations: 600, kills: 4, restarts: 2 };
/** Between two of them, in milliseconds: at least, and how much more by chance. */
const pauses = long ? { kill: [3000, 6000], restart: [10_000, 15_000] } : { kill: [1500, 3000], restart: [5000, 5000] };
const mostMs = (long ? 3600 : 8 * seconds) * 1000;
const seed = Date.now() % 1_000_000;
const random = createRandom(seed);

const base = mkdtempSync(join(tmpdir(), "recollect-rig-fleet-"));
const violations = createViolations();
const postgres = await createPostgresServer({ base });
const env = { RECOLLECT_DATABASE_URL: postgres.url, RECOLLECT_DATABASE_SPACE: "fleet" };
const source = sourceOf(broken);
const fleet: ServeProcess[] = [];
for (let number = 1; number <= servers; number += 1) {
  fleet.push(await createServeProcess({ name: `server-${number}`, base, source, env }));
}
const report: FleetReport = {
  operations: 0,
  says: new Map(),
  acknowledged: [],
  unknown: [],
  checkedReads: 0,
  checkedSearches: 0,
};
let [kills, restarts, isOver] = [0, 0, false];
try {
  console.log(`  seed ${seed}`);
  for (const server of fleet) await server.start();
  const tokens = await makeAgentTokens(fleet[0], agents);
  const origins = fleet.map(({ origin }) => origin);
  const begun = Date.now();
  const working = Promise.all(
    [...tokens].map(([name, token], index) =>
      runFleetAgent({
        name,
        token,
        origins,
        random: createRandom(seed + index),
        isOver: () => isOver,
        report,
        violations,
      }),
    ),
  );
  const tormenting = Promise.all([killServers(), restartDatabase()]);
  await untilEnough(begun);
  isOver = true;
  await tormenting;
  await working;
  console.log(
    `  ${report.operations} operations in ${Math.round((Date.now() - begun) / 1000)} s, ${kills} servers killed, ${restarts} times the database: ` +
      `${report.acknowledged.length} writes acknowledged, ${report.unknown.length} not; ` +
      `${report.checkedReads} read and ${report.checkedSearches} found on another server`,
  );
  for (const [says, times] of [...report.says].toSorted(([, a], [, b]) => b - a).slice(0, 8))
    console.log(`    ${times} × ${says}`);
  await judgeWrites(postgres, report, violations);
  await judgeReplaced(postgres, report, violations);
  await judgeChains(postgres, violations);
  await judgeSearch(tokens);
} finally {
  for (const server of fleet) await server.kill();
  await postgres.dispose();
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
violations.print();
closeRig("rig:fleet", broken, violations.total > 0);

function pause([least = 0, more = 0]: readonly number[]): Promise<void> {
  return delay(least + random() * more);
}

async function killServers(): Promise<void> {
  while (!isOver) {
    await pause(pauses.kill);
    const victim = fleet[Math.floor(random() * fleet.length)];
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
async function judgeSearch(tokens: ReadonlyMap<string, string>): Promise<void> {
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
  const [first, ...others] = fleet;
  if (!first) return;
  const before = await Promise.all(fleet.map(found));
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
