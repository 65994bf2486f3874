import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { allowRecall } from "../../src/settings/recall-consent.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const memories = "work/app/.serena/memories";
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
  world.write(
    `${memories}/auth/login.md`,
    "# Login\nTokens live an hour.\n\n## Lockout\nFive attempts, then ten minutes.\n",
  );
  world.write(
    "work/app/memory/build/cache.md",
    "## 2026-03-01: Stale cache\n**Context:** CI-7\n**Problem:** CI restored an old cache\n**Solution:** Hash the lockfile\n\n---\n\n",
  );
});

const json = async (...args: string[]) => JSON.parse((await world.cli([...args, "--json"])).out);

describe("SRCH-1 the command line searches what is there", () => {
  it("SRCH-1 TOP-10 finds sections of memories and entries of topics, with place and date", async () => {
    const [login] = (await json("search", "token lifetime hour")).hits;
    expect(login).toMatchObject({
      root: ".serena/memories",
      path: "auth/login.md",
      title: "Login",
      lines: { from: 1, to: 2 },
    });
    const [entry] = (await json("search", "old caches")).hits;
    expect(entry).toMatchObject({ root: "memory", path: "build/cache.md", title: "Stale cache", date: "2026-03-01" });
    expect(
      entry.snippet.marks.map(({ from, to }: { from: number; to: number }) => entry.snippet.text.slice(from, to)),
    ).toEqual(["old", "cache"]);
  });

  it("SRCH-1 narrows by topic, path and date", async () => {
    const paths = async (...args: string[]) =>
      (await json("search", "cache tokens attempts", ...args)).hits.map(({ path }: { path: string }) => path);
    expect(await paths("--topic", "build")).toEqual(["build/cache.md"]);
    expect(new Set(await paths("--path", "auth/**"))).toEqual(new Set(["auth/login.md"]));
    expect(await paths("--until", "2026-03-01")).toEqual(["build/cache.md"]);
    expect(await paths("--root", "memory", "--since", "2026-04-01")).toEqual([]);
  });

  it("CLI-1 wrong filters are wrong usage, and say what is right", async () => {
    expect(await world.cli(["search", "x", "--since", "soon"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/“since” is a date such as/),
    });
    expect(await world.cli(["search", " "])).toMatchObject({ code: 2 });
    expect(await world.cli(["search", "x", "--root", "nowhere"])).toMatchObject({ code: 3 });
    expect(await world.cli(["recall", "x", "--max-tokens", "0"])).toMatchObject({ code: 2 });
  });

  it("SRCH-3 follows an edit by hand, and a rebuild finds the same", async () => {
    const found = async () => (await json("search", "zeppelin", "--explain")).hits;
    const before = await found();
    expect(before.every(({ snippet }: { snippet: { text: string } }) => !snippet.text.includes("zeppelin"))).toBe(true);
    world.write(`${memories}/airship.md`, "# Airship\nThe zeppelin lands at noon.\n");
    const [hit] = await found();
    expect(hit).toMatchObject({ path: "airship.md", snippet: { text: "The zeppelin lands at noon." } });
    rmSync(join(world.project, "memory/index.md"), { force: true });
    expect(await json("reindex")).toMatchObject({ documents: 3, topics: { topics: 1, changed: true } });
    expect((await found())[0]).toMatchObject({ path: "airship.md" });
  });

  it("SRCH-4 recalls within the budget, with date and source", async () => {
    const { text, tokens, items } = await json("recall", "why does CI restore old caches", "--max-tokens", "120");
    expect(items).toMatchObject([{ path: "build/cache.md", date: "2026-03-01", trimmed: false }]);
    expect(tokens).toBeLessThanOrEqual(120);
    expect(text).toContain("**build/cache › Stale cache** (lesson, 2026-03-01, lines 1-6)\n> **Context:** CI-7\n");
  });

  it("GUARD-1 GUARD-3 a secret that came another way is never shown, and its note is left out of recall", async () => {
    const secret = ["ghp", "_", "Zk3vQ9xW7tR2mN8bL5cJ1hG6fD4sA0pYuTeX"].join("");
    world.write(`${memories}/leak.md`, `# Leak\nThe quokka deploys.\n\nA credential: ${secret}\n`);
    const found = await world.cli(["search", "quokka", "--json"]);
    expect(found.out).not.toContain(secret.slice(5, 20));
    expect(JSON.parse(found.out).hits[0]).toMatchObject({ path: "leak.md", flagged: true });
    const recalled = await world.cli(["recall", "quokka deploys", "--json"]);
    expect(recalled.out).not.toContain("leak.md");
  });

  it("SRCH-4 answers a hook from the folder that the event names", async () => {
    allowRecall(world.project, { env: world.env, home: world.home, platform: process.platform });
    const prompt = "CI restored an old cache again";
    const event = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: world.project, prompt };
    const { code, out, err } = await world.cli(["recall", "--hook", "claude-code"], JSON.stringify(event));
    expect([code, err]).toEqual([0, ""]);
    const { hookEventName, additionalContext } = JSON.parse(out).hookSpecificOutput;
    expect(hookEventName).toBe("UserPromptSubmit");
    expect(additionalContext).toContain("> **Problem:** CI restored an old cache");
    const idle = { ...event, prompt: "thanks, please go on" };
    expect(await world.cli(["recall", "--hook", "claude-code"], JSON.stringify(idle))).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  });

  it("SRCH-4 answers a hook with nothing where the settings are broken", async () => {
    world.write("work/app/recollect.yaml", "nonsense: [\n");
    const event = { hook_event_name: "UserPromptSubmit", cwd: world.project, prompt: "CI restored an old cache again" };
    const hooked = await world.cli(["recall", "--hook", "claude-code"], JSON.stringify(event));
    expect(hooked).toEqual({ code: 0, out: "", err: "" });
  });
});
