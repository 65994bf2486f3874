import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { type HookWorld, hookWorld } from "./hook-world.ts";

const folders = temporaryFolders();
const error = "Error: EINTEGRITY sha512 integrity checksum failed for left-pad at /tmp/build-81723/package.json:12:7";

function steps(world: HookWorld, session = "s1") {
  const tool = (name: string, fields: Record<string, unknown>) =>
    world.claude(name, { session_id: session, ...fields });
  return {
    fails: (text = error) =>
      tool("PostToolUseFailure", {
        tool_name: "Bash",
        tool_input: { command: "npm ci" },
        error: `Exit code 1\n${text}`,
      }),
    passes: () =>
      tool("PostToolUse", { tool_name: "Bash", tool_input: { command: "npm ci" }, tool_response: { stdout: "ok" } }),
    edits: (file = "package.json") =>
      tool("PostToolUse", {
        tool_name: "Edit",
        tool_input: { file_path: join(world.project, file) },
        tool_response: "ok",
      }),
    stores: () =>
      tool("PostToolUse", {
        tool_name: "mcp__recollect__store_in_memory",
        tool_input: { topic: "ci" },
        tool_response: [{ type: "text", text: "Stored in ci/cache." }],
      }),
    stops: (fields = {}) => tool("Stop", { stop_hook_active: false, last_assistant_message: "Done.", ...fields }),
  };
}

async function repaired(world: HookWorld, session?: string) {
  const { fails, edits, passes } = steps(world, session);
  await fails();
  await edits();
  await fails(error.replace("81723", "90011").replace("12:7", "13:9"));
  await edits(".npmrc");
  return passes();
}

async function corrects(world: HookWorld, session: string) {
  for (const prompt of ["Add a date picker.", "No, we use pnpm here, never npm."]) {
    await world.claude("UserPromptSubmit", { prompt, session_id: session });
  }
}

describe("USE-7 the question at the end of a turn", () => {
  it("USE-7 is asked once after an error that came back, and is first mentioned with the result that repaired it", async () => {
    const world = hookWorld(folders.make());
    const { stops } = steps(world);
    expect((await repaired(world)).context).toContain("store_in_memory");
    expect((await stops()).context).toMatch(/^Before you finish: a command failed 2 times[\s\S]*Nothing to record/);
    expect(await stops({ stop_hook_active: true })).toEqual({});
    await repaired(world);
    expect(await stops()).toEqual({});
  });

  it("USE-7 is not asked for a test that turns green, after a store, in a script, or where it is switched off", async () => {
    const world = hookWorld(folders.make());
    const red = steps(world, "red");
    await red.fails();
    await red.edits();
    await red.passes();
    expect(await red.stops()).toEqual({});
    await repaired(world, "stored");
    await steps(world, "stored").stores();
    expect(await steps(world, "stored").stops()).toEqual({});
    const stop = { stop_hook_active: false, last_assistant_message: "Done." };
    await repaired(world, "script");
    expect(
      await world.claude("Stop", { ...stop, session_id: "script" }, { CLAUDE_CODE_SESSION_ATTENDED: "0" }),
    ).toEqual({});
    await repaired(world, "off");
    expect(await world.claude("Stop", { ...stop, session_id: "off" }, { RECOLLECT_HOOKS_ASK: "never" })).toEqual({});
    expect((await world.claude("Stop", { ...stop, session_id: "off" })).context).toContain("Before you finish");
  });

  it("USE-7 a correction by the user is worth it, and two declines in a row raise what is needed", async () => {
    const world = hookWorld(folders.make());
    for (const session of ["a", "b"]) {
      await corrects(world, session);
      expect((await steps(world, session).stops()).context).toContain("the user corrected you");
      await steps(world, session).stops({ stop_hook_active: true });
    }
    await corrects(world, "c");
    expect(await steps(world, "c").stops()).toEqual({});
    await repaired(world, "c");
    expect((await steps(world, "c").stops()).context).toContain("Before you finish");
  });

  it("USE-7 Cursor's sessions are asked only where it said at the start that no agent in the background works", async () => {
    const world = hookWorld(folders.make());
    const cursor = (hook_event_name: string, fields: object) =>
      world.answer("cursor", { cursor_version: "1.0", workspace_roots: [world.project], hook_event_name, ...fields });
    const asked: unknown[] = [];
    for (const is_background_agent of [true, false, undefined]) {
      const session_id = String(is_background_agent);
      if (is_background_agent !== undefined) await cursor("sessionStart", { session_id, is_background_agent });
      for (const prompt of ["Add a date picker.", "No, we use pnpm here, never npm."])
        await cursor("beforeSubmitPrompt", { session_id, prompt });
      asked.push("followup_message" in ((await cursor("stop", { session_id, loop_count: 0 })) ?? {}));
    }
    expect(asked).toEqual([false, true, false]);
  });

  it("USE-7 a record that names a file which is then changed is worth it", async () => {
    const world = hookWorld(folders.make());
    await world.note(
      "deploy/staging",
      "# Deployment of staging\n\nThe script `scripts/deploy.sh` deploys staging over ssh.\n",
    );
    await world.claude("UserPromptSubmit", { prompt: "change how staging is deployed by the deployment script" });
    await steps(world).edits("scripts/deploy.sh");
    expect((await steps(world).stops()).context).toContain("a file that it describes");
  });

  it("USE-15 a store shows the person a line with the way back", async () => {
    const world = hookWorld(folders.make());
    expect(await steps(world).stores()).toEqual({ notice: "Recollect: stored ci/cache. Take it back: recollect undo" });
  });

  it("USE-5 the state of a session holds no prompt, command or output, and is for the user alone", async () => {
    const world = hookWorld(folders.make());
    await corrects(world, "s1");
    await repaired(world);
    const folder = join(String(world.env["XDG_CACHE_HOME"]), "recollect/sessions");
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const name of files)
      expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/pnpm|npm ci|EINTEGRITY|package/);
  });
});

describe("USE-4 a failed command", () => {
  it("USE-4 whose error is on record is answered with that record, once, whatever differs from run to run", async () => {
    const world = hookWorld(folders.make());
    await world.lesson("ci/integrity", {
      title: "Checksum of left-pad",
      problem:
        "`npm ci` said: Error: EINTEGRITY sha512 integrity checksum failed for left-pad at /home/ci/package.json:3:1",
      solution: "Clear the cache of the registry proxy.",
    });
    const { fails } = steps(world);
    const { context = "", notice } = await fails();
    expect(context).toMatch(/^From Recollect: this error is on record\./);
    expect(context).toContain("Clear the cache of the registry proxy.");
    expect(notice).toContain("recalled ci/integrity");
    expect(await fails()).toEqual({});
    expect(await fails("Error: ENOENT: no such file or directory, open 'other.json'")).toEqual({});
  });
});

describe("USE-14 the last session", () => {
  it("USE-14 is known at the start of the next one, also in another client, without what the guard finds", async () => {
    const world = hookWorld(folders.make());
    await world.claude("UserPromptSubmit", { prompt: "CI keeps restoring an old cache" });
    await steps(world).edits("src/ci/cache.ts");
    await steps(world).stops({ last_assistant_message: "The restore key now contains the hash of the lockfile." });
    const next = await world.answer("codex", { hook_event_name: "SessionStart", source: "startup", session_id: "s2" });
    expect(JSON.stringify(next)).toMatch(
      /Last session \(claude-code, \d+ \w+\): “CI keeps restoring an old cache”\. Changed src\/ci\/cache\.ts\. It ended: “The restore key now/,
    );
    const secret = `ghp_${"aB3dE6gH9kLmN2pQ5sT8vW1yZ4cF7jK0xR3u"}`;
    await world.claude("UserPromptSubmit", { prompt: `use the token ${secret}`, session_id: "s3" });
    const folder = join(world.home, ".local/share/recollect/sessions");
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), "utf8")).not.toContain(secret);
  });

  it("USE-5 every event is silent where hooks are off", async () => {
    const world = hookWorld(folders.make());
    const off = { RECOLLECT_HOOKS: "off" };
    await world.note("ci", "# Cache of CI\n\nThe cache of CI is stale.\n");
    for (const name of ["SessionStart", "UserPromptSubmit", "Stop", "SubagentStart", "SessionEnd"]) {
      expect(await world.claude(name, { prompt: "why is the cache of CI stale?", source: "startup" }, off)).toEqual({});
    }
  });
});
