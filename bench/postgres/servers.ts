import { cpus } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../test/helpers/postgres.ts";
import { callsPerSecond, type HttpTarget } from "../mcp-over-http.ts";
import type { Row } from "../measurement.ts";
import { sampleText } from "../sample-text.ts";
import { type ServeProcess, startServe } from "../serve-process.ts";
import { median } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";
import type { PaceRequest } from "../workers/pacer.ts";
import { startWorker, type Worker } from "../workers/worker.ts";

const [rounds, sliceMs, notes] = [6, 1500, 100];
/** Of each server: what is asked for grows with them. */
const clients = 16;
/** Servers that run a fifth of the time leave the machine idle, so that another one has something to work with. */
const share = 0.2;

/**
 * Reads and searches by one server process and by two, in turns. One alone uses up a small machine together with the
 * database and the client, so this is measured twice: with servers as they are, and with servers that run only a part
 * of the time.
 */
export function measureServers(): Promise<Row[]> {
  return withWorkFolder(async (folder) => {
    const postgres = await startPostgres();
    const env = { RECOLLECT_DATABASE_URL: postgres.url, RECOLLECT_DATABASE_SPACE: "bench" };
    const pacer = await startWorker(new URL("../workers/pacer.ts", import.meta.url));
    const servers: ServeProcess[] = [];
    try {
      for (const name of ["one", "two"]) servers.push(await startServe(join(folder, name), env));
      const [first] = servers;
      if (!first) return [];
      for (let note = 0; note < notes; note += 1) {
        const args = { memory_name: `note-${note}`, content: sampleText(note) };
        await callsPerSecond({ ...first, tool: "write_memory", args }, { clients: 1, ms: 1 });
      }
      const rows: Row[] = [];
      for (const pace of [undefined, pacer]) {
        const measured = { servers, pacer: pace };
        rows.push(
          ...(await measure("reads", measured, { tool: "read_memory", args: { memory_name: "note-7" } })),
          ...(await measure("searches", measured, {
            tool: "search_memory",
            args: { query: "tests before the build" },
          })),
        );
      }
      return rows;
    } finally {
      await pacer.stop();
      for (const { child } of servers) child.kill("SIGKILL");
      await postgres.dispose();
    }
  });
}

interface Measured {
  readonly servers: readonly ServeProcess[];
  /** Undefined where servers run all the time. */
  readonly pacer: Worker | undefined;
}

async function measure(what: string, measured: Measured, asked: Pick<HttpTarget, "tool" | "args">): Promise<Row[]> {
  const turns: Turn[][] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    for (const count of round % 2 === 0 ? [1, 2] : [2, 1]) {
      const turn = await useServers(
        measured,
        measured.servers.slice(0, count).map((server) => ({ ...server, ...asked })),
      );
      if (round > 0) turns[count - 1]?.push(turn);
    }
  }
  const [one = [], two = []] = turns;
  const of = (all: readonly Turn[], figure: (turn: Turn) => number) => median(all.map(figure));
  const idle = (all: readonly Turn[]) => Math.round((100 * of(all, (turn) => turn.idle)) / cpus().length);
  const servers = measured.pacer ? `two servers at ${100 * share} % of a processor each` : "two servers";
  return [
    {
      measurement: `PostgreSQL: ${what} by ${servers} (idle: ${idle(one)} % of the machine with one, ${idle(two)} % with two)`,
      unit: "per second",
      ours: of(two, (turn) => turn.rate),
      reference: { name: "one server", value: of(one, (turn) => turn.rate) },
      ...(measured.pacer ? { limit: 1.7, atLeast: true } : {}),
      details: { one, two },
    },
    {
      measurement: `PostgreSQL: ${what} by ${servers}, processor time of the whole machine for each`,
      unit: "ms",
      ours: of(two, (turn) => turn.msEach),
      reference: { name: "one server", value: of(one, (turn) => turn.msEach) },
    },
  ];
}

/** How many were answered in a second, and how many processors everybody took meanwhile. */
interface Turn {
  readonly rate: number;
  readonly msEach: number;
  readonly idle: number;
}

async function useServers({ servers, pacer }: Measured, targets: readonly HttpTarget[]): Promise<Turn> {
  const pids = servers.flatMap(({ child }) => child.pid ?? []);
  const paced = pacer?.ask({ pids, share, ms: sliceMs } satisfies PaceRequest);
  const before = { ...processorTimes(), at: performance.now() };
  const each = { clients, ms: sliceMs };
  const rates = await Promise.all(targets.map((target) => callsPerSecond(target, each)));
  const ms = performance.now() - before.at;
  const { busy, idle } = processorTimes();
  await paced;
  const rate = rates.reduce((sum, one) => sum + one, 0);
  return { rate, msEach: (busy - before.busy) / ((rate * ms) / 1000), idle: (idle - before.idle) / ms };
}

function processorTimes(): { readonly busy: number; readonly idle: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0);
  return { busy: sum(({ user, nice, sys, irq }) => user + nice + sys + irq), idle: sum(({ idle }) => idle) };
}
