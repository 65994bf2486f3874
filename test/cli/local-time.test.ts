import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dayOf, minuteOf, parseDay } from "../../src/cli/local-time.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const run = (...args: string[]) => world.cli(args);

/** As a day is written where the clock is so many hours ahead of Greenwich. */
const dayAt = (hours: number, time = Date.now()) => new Date(time + hours * 3_600_000).toISOString().slice(0, 10);

/** Two zones of which one has another day than Greenwich at any time. Their signs are those of POSIX. */
const zones: [string, number][] = [
  ["Ahead-14", 14],
  ["Behind12", -12],
];

describe.each(zones)("CLI-1 where the time zone is %s", (zone, hours) => {
  beforeEach(() => {
    vi.stubEnv("TZ", zone);
  });

  it("CLI-1 every command shows a note under the same day, which is the person's own", async () => {
    await run("memories", "write", "build", "--content", "# Build with care\n");
    await run("agent", "write", "a.md", "--agent-id", "ada", "--content", "x");
    const today = dayAt(hours);
    const shown = [
      ["memories", "list"],
      ["search", "care"],
      ["log", "build"],
      ["blame", "build"],
      ["agent", "list", "--agent-id", "ada"],
    ];
    for (const command of shown) expect([command, (await run(...command)).out]).toEqual([command, has(today)]);
  });

  it("CLI-1 a day that is given is one of the person's own, to search and to log alike", async () => {
    await run("memories", "write", "build", "--content", "# Build with care\n");
    const [today, before, after] = [dayAt(hours), dayAt(hours - 24), dayAt(hours + 24)];
    const finds = async (...filter: string[]) => [
      (await run("search", "care", ...filter)).code === 0,
      (await run("log", "build", ...filter)).out.includes("build"),
      (await run("undo", "--path", "build", "--dry-run", ...filter)).out.includes("1 operation"),
    ];
    expect(await finds("--since", today, "--until", today)).toEqual([true, true, true]);
    expect(await finds("--until", before)).toEqual([false, false, false]);
    expect(await finds("--since", after)).toEqual([false, false, false]);
  });

  it("HIST-1 a folder is restored as it was at the end of the person's own day", async () => {
    await run("memories", "write", "auth/a", "--content", "one\n");
    await run("memories", "write", "auth/a", "--content", "two\n");
    const restore = (at: string) => run("restore", "--folder", "auth", "--at", at, "--dry-run");
    expect((await restore(dayAt(hours))).out).toBe("It is so already.\n");
    expect((await restore(dayAt(hours - 24))).out).toContain("1 to be removed.");
  });

  it("CLI-1 what is kept of the user has the same days, and --json has times in UTC", async () => {
    const { id } = JSON.parse((await run("token", "create", "ada", "--expires", "1", "--json")).out);
    expect((await run("token", "list")).out).toContain(`${id}  ${dayAt(hours)}  `);
    expect((await run("token", "list")).out).toContain(`until ${dayAt(hours + 24)}`);
    const print = "0123456789abcdef0123456789abcdef";
    await run("guard", "allow", print, "--reason", "harmless");
    expect((await run("guard", "list")).out).toContain(`${dayAt(hours)}  ${print}`);
    await run("memories", "write", "build", "--content", "x");
    const [operation] = JSON.parse((await run("log", "build", "--json")).out).operations;
    expect(operation.time.slice(0, 10)).toBe(dayAt(0));
  });

  it("CLI-1 the day of an older note is that of its own time", async () => {
    await run("memories", "write", "build", "--content", "x");
    const time = Date.parse("2026-01-31T11:30:00Z");
    utimesSync(join(world.project, ".serena/memories/build.md"), time / 1000, time / 1000);
    expect((await run("memories", "list")).out).toMatch(new RegExp(`^${dayAt(hours, time)}  build`));
  });
});

describe("CLI-1 times as people read and give them", () => {
  const noon = "2026-01-31T12:00:00Z";
  it.each([
    ["UTC", "2026-01-31", "2026-01-31 12:00"],
    ["Pacific/Auckland", "2026-02-01", "2026-02-01 01:00"],
    ["America/New_York", "2026-01-31", "2026-01-31 07:00"],
    ["Asia/Kathmandu", "2026-01-31", "2026-01-31 17:45"],
  ])("CLI-1 noon of Greenwich in %s", (zone, day, minute) => {
    vi.stubEnv("TZ", zone);
    expect([dayOf(noon), minuteOf(noon), dayOf(Date.parse(noon))]).toEqual([day, minute, day]);
    expect(parseDay(day)).toMatchObject({ first: expect.toSatisfy((first: number) => first <= Date.parse(noon)) });
    expect(parseDay(day)?.last).toBeGreaterThan(Date.parse(noon));
  });

  it("CLI-1 a day has as many hours as it has there", () => {
    vi.stubEnv("TZ", "America/New_York");
    const hoursOf = (day: string) => {
      const { first = 0, last = 0 } = parseDay(day) ?? {};
      return (last + 1 - first) / 3_600_000;
    };
    expect(["2026-03-07", "2026-03-08", "2026-11-01"].map(hoursOf)).toEqual([24, 23, 25]);
  });

  it("CLI-1 what is no day or no time is said so, or shown as it is", async () => {
    for (const wrong of ["2026-02-30", "2026-13-01", "2026-00-10", "soon"]) {
      expect([wrong, parseDay(wrong)]).toEqual([wrong, undefined]);
      expect(await run("log", "--since", wrong)).toMatchObject({ code: 2, out: "" });
    }
    expect([dayOf("whenever"), minuteOf("whenever")]).toEqual(["whenever", "whenever"]);
  });
});

function has(text: string) {
  return expect.stringContaining(text);
}
