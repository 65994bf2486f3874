import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../src/app.ts";
import { uninstallCommand } from "../../src/cli/uninstall.ts";
import { checkout } from "../helpers/checkout.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { type HookWorld, hookWorld } from "./hook-world.ts";

const folders = temporaryFolders();
const secret = ["gh", "p_", "k9".repeat(18)].join("");

async function worldWithSession() {
  const world = hookWorld(folders.make());
  const edit = { tool_name: "Edit", tool_input: { file_path: join(world.project, "src/cache.ts") }, tool_response: {} };
  await world.claude("UserPromptSubmit", { prompt: "repair the stale cache" });
  await world.claude("UserPromptSubmit", { prompt: "and now the tests" });
  await world.claude("PostToolUse", edit);
  await world.claude("Stop", { last_assistant_message: "The restore key has the hash of the lockfile now." });
  return world;
}

const recordsOf = ({ home }: HookWorld) => join(home, ".local", "share", "recollect", "sessions");
const logsOf = ({ env }: HookWorld) => join(env["XDG_CACHE_HOME"] ?? "", "recollect", "sessions");
const sessionsOf = async (world: HookWorld) => JSON.parse((await world.cli(["sessions", "--json"])).out).sessions;

describe("USE-14 where were we", () => {
  it("USE-14 lists the last sessions, and shows one of them in full", async () => {
    const world = await worldWithSession();
    const { out } = await world.cli(["sessions"]);
    expect(out).toMatch(/^[0-9a-f]{8} {2}\d{4}-.* claude-code {2}repair the stale cache {2}\(changed 1 file\)\n$/);
    const full = await world.cli(["sessions", out.slice(0, 8)]);
    expect(full.out).toContain("First prompt: repair the stale cache\nChanged: src/cache.ts\n");
    expect(full.out).toContain("Last answer: The restore key has the hash of the lockfile now.");
    expect((await sessionsOf(world))[0]).toMatchObject({ client: "claude-code", files: ["src/cache.ts"] });
    expect(await world.cli(["sessions", "abc"])).toMatchObject({ code: 3 });
  });

  it("USE-14 begins a session in another client with one line about it", async () => {
    const world = await worldWithSession();
    const event = { hook_event_name: "SessionStart", session_id: "s2", source: "startup" };
    const said = (await world.answer("gemini-cli", event))?.["hookSpecificOutput"] as { additionalContext: string };
    expect(said.additionalContext).toMatch(
      /Last session \(claude-code, \d+ \w+\): “repair the stale cache”\. Changed src\/cache\.ts\. It ended: “The restore key/,
    );
    expect(said.additionalContext.split("\n").filter((line) => line.includes("Last session"))).toHaveLength(1);
  });

  it("USE-14 keeps nothing in which the guard finds a secret", async () => {
    const world = hookWorld(folders.make());
    await world.claude("UserPromptSubmit", { prompt: `use the token ${secret}` });
    await world.claude("Stop", { last_assistant_message: `I wrote ${secret} into .env` });
    const [name = ""] = readdirSync(recordsOf(world));
    expect(readFileSync(join(recordsOf(world), name), "utf8")).not.toContain(secret);
    expect((await world.cli(["sessions"])).out).toContain("(a prompt that is not kept)");
    const start = await world.claude("SessionStart", { source: "startup", session_id: "s2" });
    expect(start.context).toMatch(/Last session \(claude-code, [\w ]+\)\.$/m);
  });

  it("USE-14 keeps no name of a changed file in which the guard finds a secret", async () => {
    const world = hookWorld(folders.make());
    await world.claude("UserPromptSubmit", { prompt: "rename the fixtures" });
    for (const name of ["src/cache.ts", `src/${secret}.ts`])
      await world.claude("PostToolUse", {
        tool_name: "Edit",
        tool_input: { file_path: join(world.project, name) },
        tool_response: {},
      });
    expect((await sessionsOf(world))[0]).toMatchObject({ files: ["src/cache.ts"] });
  });

  it("USE-14 is as strict as the user's guard", async () => {
    const world = hookWorld(folders.make());
    const strict = { RECOLLECT_GUARD_POLICY: "strict" };
    await world.claude("UserPromptSubmit", { prompt: "reset the password form" });
    await world.claude("UserPromptSubmit", { prompt: "reset the password form", session_id: "s2" }, strict);
    world.write("home/.config/recollect/config.yaml", "guard:\n  policy: strict\n");
    await world.claude("UserPromptSubmit", { prompt: "reset the password form", session_id: "s3" });
    const prompts = (await sessionsOf(world)).map(({ prompt }: { prompt: string }) => prompt);
    expect(prompts.toSorted()).toEqual(["", "", "reset the password form"]);
  });

  it("HIST-5 a value that was purged does not come back by a session", async () => {
    const world = hookWorld(folders.make());
    const value = "nightingale seven seven";
    // It is in no note, so there is nothing to remove.
    expect(await world.cli(["purge", "--refuse", "--yes"], value)).toMatchObject({ code: 3 });
    await world.claude("UserPromptSubmit", { prompt: "what about nightingale\nseven seven?" });
    await world.claude("Stop", { last_assistant_message: `It is ${value} now.` });
    expect((await sessionsOf(world))[0]).toMatchObject({ prompt: "", answer: "" });
    await world.claude("UserPromptSubmit", { prompt: "what about nightingale seven?", session_id: "s2" });
    expect(JSON.stringify(await sessionsOf(world))).toContain("what about nightingale seven?");
  });

  it("USE-14 keeps them apart by project, for 14 days", async () => {
    const world = await worldWithSession();
    const other = { cwd: world.write("work/other/.git/HEAD", "").replace("/.git/HEAD", "") };
    await world.claude("UserPromptSubmit", { prompt: "something else", ...other });
    expect(await sessionsOf(world)).toHaveLength(1);
    for (const name of readdirSync(recordsOf(world))) {
      const day = Date.now() / 1000 - 15 * 24 * 3600;
      utimesSync(join(recordsOf(world), name), day, day);
    }
    expect(await sessionsOf(world)).toEqual([]);
    expect(readdirSync(recordsOf(world))).toEqual([]);
  });

  it("USE-14 a project is the same in all its folders, and another one beside it in one repository is not", async () => {
    const world = hookWorld(folders.make());
    const inFolder = (name: string) => world.write(`work/${name}/x`, "").replace(/\/x$/, "");
    world.write("work/mono/.git/HEAD", "");
    const [plain, sub, one, other] = ["plain", "plain/sub", "mono/one", "mono/other"].map(inFolder);
    for (const name of ["plain", "mono/one", "mono/other"]) world.write(`work/${name}/.serena/x`, "");
    await world.claude("UserPromptSubmit", { prompt: "in the plain folder", cwd: sub });
    await world.claude("UserPromptSubmit", { prompt: "in one of two", cwd: one });
    const lastIn = async (cwd: string | undefined) =>
      (await world.claude("SessionStart", { source: "startup", session_id: `in ${cwd}`, cwd })).context;
    expect(await lastIn(plain)).toContain("in the plain folder");
    expect(await lastIn(one)).toContain("in one of two");
    expect(await lastIn(other)).toBeUndefined();
    const listed = await openWorkspace({ cwd: plain ?? "", env: world.env, home: world.home });
    expect(listed.sessionRecords.list(9)).toHaveLength(1);
    await listed.close();
  });

  it("USE-14 keeps none where that is switched off, and forgets them on request", async () => {
    const world = await worldWithSession();
    const off = { RECOLLECT_HOOKS_SESSIONS: "false" };
    await world.claude("UserPromptSubmit", { prompt: "secret plans", session_id: "s2" }, off);
    expect(await sessionsOf(world)).toHaveLength(1);
    expect((await world.claude("SessionStart", { source: "startup", session_id: "s3" }, off)).context).toBeUndefined();
    expect((await world.cli(["sessions", "--forget"])).out).toBe("Forgot 1 session.\n");
    expect(await sessionsOf(world)).toEqual([]);
    expect(await world.cli(["sessions", "--forget", "ab"])).toMatchObject({ code: 3 });
  });

  it("USE-14 uninstall leaves nothing of it", async () => {
    const world = await worldWithSession();
    const { env, home, project: cwd } = world;
    const surroundings = { cwd, env, home, platform: process.platform, searchPath: [], packageFolder: checkout };
    const io = { out: () => {}, err: () => {}, terminal: false, readInput: async () => undefined };
    const command = uninstallCommand(io, { surroundings, nodeVersion: "24.0.0", colour: false });
    await command.parseAsync(["--yes"], { from: "user" });
    expect([recordsOf(world), logsOf(world)].filter((folder) => existsSync(folder))).toEqual([]);
  });

  it("HIST-5 purge removes a value from what hooks keep", async () => {
    const world = await worldWithSession();
    await world.lesson("ci/codename", { title: "Plan nightingale-7731", solution: "Call it nightingale-7731." });
    // The command line of tests has the cache of the home folder.
    const env = { XDG_CACHE_HOME: undefined };
    await world.claude("UserPromptSubmit", { prompt: "what about nightingale-7731?", session_id: "s2" }, env);
    const caches = join(world.home, ".cache", "recollect", "sessions");
    expect(readdirSync(caches)).toHaveLength(1);
    const args = ["purge", "--yes", "--json"];
    const { out, code } = await world.cli(args, "nightingale-7731");
    expect([code, JSON.parse(out).left]).toEqual([0, []]);
    for (const folder of [recordsOf(world), caches])
      for (const name of readdirSync(folder))
        expect(readFileSync(join(folder, name), "utf8")).not.toContain("nightingale");
    expect(await sessionsOf(world)).toHaveLength(1);
  });
});
