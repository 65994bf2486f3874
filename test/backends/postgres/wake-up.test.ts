import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWakeUp } from "../../../src/backends/postgres/wake-up.ts";
import { postgresUrl, sharedDatabase } from "../../helpers/postgres-stores.ts";
import { wayToDatabase } from "./way-to-database.ts";

/** A way to the database on which the end of a connection arrives later than the last words. */
async function wayWithLateEnds(): Promise<URL> {
  return wayToDatabase(await postgresUrl(), (near, far) => {
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => near.write(bytes));
    far.on("close", () => setTimeout(300).then(() => near.destroy()));
    near.on("close", () => far.destroy());
  });
}

describe("PG-2 who listens for what others write", () => {
  it("has one connection however often the database ends it, is told of each write once, and leaves none behind", async () => {
    const name = randomUUID();
    const url = await wayWithLateEnds();
    url.searchParams.set("application_name", name);
    const database = await sharedDatabase();
    const openWays = async (then = "pid") => {
      const text = `SELECT ${then} AS found FROM pg_stat_activity WHERE application_name = $1`;
      const [rows = []] = await database.read([], { text, values: [name] });
      return rows.map(({ found }) => found);
    };
    const wakeUp = createWakeUp({ url: url.href });
    onTestFinished(() => wakeUp.close());
    const heard: string[] = [];
    wakeUp.onWritten((space) => {
      if (space.startsWith(name)) heard.push(space);
    });
    const ended = new Set<unknown>();
    for (let time = 0; time < 3; time += 1) {
      await expect.poll(async () => (await openWays()).filter((pid) => !ended.has(pid)).length).toBe(1);
      for (const pid of await openWays()) ended.add(pid);
      await openWays("pg_terminate_backend(pid)");
      // A new one may be there before anybody looks.
      await expect.poll(async () => (await openWays()).filter((pid) => ended.has(pid))).toEqual([]);
      // Who tells of something connects at once.
      wakeUp.written([randomUUID()]);
    }
    await setTimeout(600);
    await expect.poll(async () => (await openWays()).filter((pid) => !ended.has(pid)).length).toBe(1);
    for (const which of ["first", "last"]) {
      wakeUp.written([`${name} ${which}`]);
      await expect.poll(() => heard).toContain(`${name} ${which}`);
    }
    expect(heard).toEqual([`${name} first`, `${name} last`]);
    expect(await openWays()).toHaveLength(1);
    await wakeUp.close();
    await expect.poll(() => openWays()).toEqual([]);
  });
});
