import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../test/helpers/postgres.ts";
import { callsPerSecond, type HttpTarget } from "../mcp-over-http.ts";
import type { Row } from "../measurement.ts";
import { sampleText } from "../sample-text.ts";
import { type ServeProcess, startServe } from "../serve-process.ts";
import { median } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const [rounds, clients, sliceMs, notes] = [6, 16, 1500, 100];
/** Where less of the machine than this is idle already, another server has nothing to work with. */
const idleShare = 0.25;

/** Reads and searches by one server process and by two, in turns, and what they cost the machine's processors. */
export function measureServers(): Promise<Row[]> {
  return withWorkFolder(async (folder) => {
    const postgres = await startPostgres();
    const env = { RECOLLECT_DATABASE_URL: postgres.url, RECOLLECT_DATABASE_SPACE: "bench" };
    const servers: ServeProcess[] = [];
    try {
      for (const name of ["one", "two"]) servers.push(await startServe(join(folder, name), env));
      const [first] = servers;
      if (!first) return [];
      for (let note = 0; note < notes; note += 1) {
        const args = { memory_name: `note-${note}`, content: sampleText(note) };
        await callsPerSecond({ ...first, tool: "write_memory", args }, { clients: 1, ms: 1 });
      }
      return [
        ...(await measure("reads", servers, "read_memory", { memory_name: "note-7" })),
        ...(await measure("searches", servers, "search_memory", { query: "tests before the build" })),
      ];
    } finally {
      for (const { child } of servers) child.kill("SIGKILL");
      await postgres.dispose();
    }
  });
}

async function measure(
  what: string,
  servers: readonly ServeProcess[],
  tool: string,
  args: HttpTarget["args"],
): Promise<Row[]> {
  const turns: Turn[][] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    for (const count of round % 2 === 0 ? [1, 2] : [2, 1]) {
      const turn = await useServers(
        servers,
        servers.slice(0, count).map((server) => ({ ...server, tool, args })),
      );
      if (round > 0) turns[count - 1]?.push(turn);
    }
  }
  const [one = [], two = []] = turns;
  const of = (all: readonly Turn[], figure: (turn: Turn) => number) => median(all.map(figure));
  const idle = of(one, (turn) => turn.idle);
  const details = { one, two, idleWithOne: idle };
  const shares = of(one, (turn) => turn.server).toFixed(2);
  console.error(
    `  ${what}, one server: it takes ${shares} processors, this client ${of(one, (turn) => turn.client).toFixed(2)}, ` +
      `idle are ${idle.toFixed(2)} of ${cpus().length}`,
  );
  return [
    {
      measurement: `PostgreSQL: ${what} by two servers (with one, ${Math.round((100 * idle) / cpus().length)} % of the machine is idle)`,
      unit: "per second",
      ours: of(two, (turn) => turn.rate),
      reference: { name: "one server", value: of(one, (turn) => turn.rate) },
      ...(idle / cpus().length > idleShare ? { limit: 1.7, atLeast: true } : {}),
      details,
    },
    {
      measurement: `PostgreSQL: ${what}, processor time of the whole machine for each, two servers`,
      unit: "ms",
      ours: of(two, (turn) => turn.msEach),
      reference: { name: "one server", value: of(one, (turn) => turn.msEach) },
      limit: 1.2,
    },
  ];
}

/** How many were answered in a second, and how many processors everybody took meanwhile. */
interface Turn {
  readonly rate: number;
  readonly msEach: number;
  readonly idle: number;
  readonly server: number;
  readonly client: number;
}

async function useServers(all: readonly ServeProcess[], targets: readonly HttpTarget[]): Promise<Turn> {
  const before = { ...processorTimes(), servers: timeOf(all), own: process.cpuUsage(), at: performance.now() };
  const each = { clients: clients / targets.length, ms: sliceMs };
  const rates = await Promise.all(targets.map((target) => callsPerSecond(target, each)));
  const ms = performance.now() - before.at;
  const { busy, idle } = processorTimes();
  const own = process.cpuUsage(before.own);
  const rate = rates.reduce((sum, one) => sum + one, 0);
  return {
    rate,
    msEach: (busy - before.busy) / ((rate * ms) / 1000),
    idle: (idle - before.idle) / ms,
    server: (timeOf(all) - before.servers) / ms,
    client: (own.user + own.system) / 1000 / ms,
  };
}

function processorTimes(): { readonly busy: number; readonly idle: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0);
  return { busy: sum(({ user, nice, sys, irq }) => user + nice + sys + irq), idle: sum(({ idle }) => idle) };
}

/** Milliseconds of processor time that they have taken so far; 0 where the system does not tell. */
function timeOf(servers: readonly ServeProcess[]): number {
  return servers.reduce((sum, { child }) => {
    try {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return sum + 10 * (Number(fields[11]) + Number(fields[12]));
    } catch {
      return sum;
    }
  }, 0);
}
