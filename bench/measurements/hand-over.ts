import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Measurement } from "../measurement.ts";
import { summarize } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";
import { startWorker, type Worker } from "../workers/worker.ts";

const repetitions = 120;
const document = "note.md";

/** A process is killed while it holds a folder's lock: how long until the one that waits has its write acknowledged. */
export const handOver: Measurement = {
  name: "hand-over",
  run: () =>
    withWorkFolder(async (folder) => {
      const args = [join(folder, "ours"), document];
      const waiter = await startWorker(new URL("../workers/waiter.ts", import.meta.url), args);
      const times: number[] = [];
      try {
        await waiter.ask("append");
        for (let repetition = 0; repetition < repetitions; repetition += 1) {
          times.push(await killTheHolder(waiter, args, repetition));
        }
      } finally {
        await waiter.stop();
      }
      const after = summarize(times);
      return [
        {
          measurement: "hand-over after a kill, 99th percentile",
          unit: "ms",
          ours: after.p99,
          limit: 200,
          details: { after },
        },
        { measurement: "hand-over after a kill, median", unit: "ms", ours: after.median },
      ];
    }),
};

async function killTheHolder(waiter: Worker, args: readonly string[], repetition: number): Promise<number> {
  const holder = await startWorker(new URL("../workers/holder.ts", import.meta.url), args);
  try {
    await holder.ask("hold");
    const acknowledged = waiter.ask<string>("append");
    // Long enough to be in the queue, and each time at another moment of its polling.
    await delay(30 + (repetition % 20) * 3);
    const killed = process.hrtime.bigint();
    holder.kill();
    return Number(BigInt(await acknowledged) - killed) / 1e6;
  } finally {
    await holder.stop();
  }
}
