import { describe, expect, it, onTestFinished } from "vitest";
import type { LogLevel } from "../../src/kernel/log.ts";
import { type FollowSyncOptions, followSync } from "../../src/sync/follow-sync.ts";
import { nextAttempt } from "../../src/sync/sync-status.ts";

function follow(options: Partial<FollowSyncOptions> & { readonly fails?: boolean } = {}) {
  const [runs, logged]: [number[], [LogLevel, unknown][]] = [[], []];
  const report = { remote: "r", received: 0, sent: 0, conflicts: [], rewritten: false, leftOut: [] };
  const follower = followSync({
    sync: {
      run: async () => {
        runs.push(runs.length);
        if (options.fails) throw new Error("no way there");
        return report;
      },
    },
    strategy: "on_write",
    intervalMs: 5,
    nextAttempt: () => 0,
    now: Date.now,
    log: (level, _, data) => void logged.push([level, data]),
    stays: true,
    delayMs: 20,
    ...options,
  });
  onTestFinished(() => follower.close());
  return { follower, runs, logged };
}

describe("HIST-4 syncing by itself", () => {
  it("HIST-4 on_write begins with what others did, then syncs once for several writes", async () => {
    const { follower, runs } = follow();
    await expect.poll(() => runs.length).toBe(1);
    for (let count = 0; count < 5; count += 1) follower.written();
    await expect.poll(() => runs.length).toBe(2);
    await follower.close();
    expect(runs).toHaveLength(2);
  });

  it("HIST-4 what waits when a process ends is sent then", async () => {
    const { follower, runs } = follow({ stays: false });
    follower.written();
    expect(runs).toHaveLength(0);
    await follower.close();
    expect(runs).toHaveLength(1);
  });

  it("HIST-4 a failure is logged and tried again, and nobody else hears of it", async () => {
    const { follower, runs, logged } = follow({ fails: true });
    follower.written();
    await expect.poll(() => runs.length).toBeGreaterThan(2);
    expect(logged[0]).toEqual(["warning", { message: "no way there" }]);
  });

  it("HIST-4 interval goes on by itself; manual never does", async () => {
    const interval = follow({ strategy: "interval" });
    await expect.poll(() => interval.runs.length).toBeGreaterThan(3);
    const manual = follow({ strategy: "manual" });
    manual.follower.written();
    await manual.follower.close();
    expect(manual.runs).toHaveLength(0);
  });

  it("HIST-4 nothing is attempted within the pause after failures, not even at the end", async () => {
    const { follower, runs } = follow({ nextAttempt: () => Date.now() + 60_000 });
    follower.written();
    await follower.close();
    expect(runs).toHaveLength(0);
  });

  it("HIST-4 pauses grow with each failure, up to some minutes", () => {
    const time = new Date(0).toISOString();
    const after = (failures: number) => nextAttempt({ failures, failure: { time, message: "" } }) / 1000;
    expect([1, 2, 3, 4, 30].map(after)).toEqual([5, 10, 20, 40, 600]);
    expect(nextAttempt({ failures: 0 })).toBe(0);
  });
});
