import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { answerInTime } from "../../src/hooks/process.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { type HookWorld, hookWorld } from "./hook-world.ts";

const folders = temporaryFolders();
const clients = ["claude-code", "codex", "gemini-cli", "cursor", "opencode"];
const prompt = "why does CI restore an outdated cache of dependencies?";
const subjects = "postgres redis kafka nginx terraform webpack pytest docker kubernetes grafana elastic rabbit".split(
  " ",
);

const logsOf = ({ env }: HookWorld) => join(env["XDG_CACHE_HOME"] ?? "", "recollect", "sessions");

async function* bytesOf(text: string | Buffer) {
  yield Buffer.from(text);
}

/** What the process prints, as it does for a client. */
async function printed(world: HookWorld, client: string, input: string | Buffer, env: NodeJS.ProcessEnv = {}) {
  const user = { env: { ...world.env, ...env }, home: world.home, platform: process.platform };
  return (await answerInTime(bytesOf(input), client, { user, tell: () => {} })).text;
}

async function worldWithCache(): Promise<HookWorld> {
  const world = hookWorld(folders.make());
  await world.lesson("ci/cache", {
    title: "Stale cache of dependencies",
    problem: "CI restored an old cache after a dependency upgrade.",
    solution: "Hash the lockfile in the restore key.",
  });
  return world;
}

describe("USE-5 a hook never disturbs its client", () => {
  it("USE-5 whatever comes on standard input, it prints one JSON object or nothing", async () => {
    const world = hookWorld(folders.make());
    const names = "SessionStart UserPromptSubmit PostToolUse Stop BeforeAgent AfterTool stop chat.message x".split(" ");
    const event = fc.record(
      {
        hook_event_name: fc.oneof(fc.constantFrom(...names), fc.anything()),
        session_id: fc.oneof(fc.constant("s"), fc.anything()),
        cwd: fc.oneof(fc.constant(world.project), fc.constant("/nowhere"), fc.anything()),
        prompt: fc.anything(),
        tool_name: fc.constantFrom("Bash", "Edit", "mcp__recollect__write_memory", 7),
        tool_input: fc.anything(),
        tool_response: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const input = fc.oneof(
      fc.string(),
      fc.json(),
      event.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...clients, "unheard-of"), input, async (client, text) => {
        const said = await printed(world, client, text);
        if (said === "") expect(["gemini-cli", "cursor"]).not.toContain(client);
        else expect(JSON.parse(said)).toBeTypeOf("object");
      }),
      { numRuns: someRuns(60, 1000) },
    );
  });

  it("USE-5 an event of 50 MB is left out", async () => {
    const world = hookWorld(folders.make());
    const output = "x".repeat(50 * 1024 * 1024);
    const event = { session_id: "s", cwd: world.project, hook_event_name: "PostToolUse", tool_response: output };
    expect(await printed(world, "claude-code", JSON.stringify(event))).toBe("");
    expect(await printed(world, "cursor", JSON.stringify(event))).toBe("{}");
  });

  const event = (world: HookWorld) =>
    JSON.stringify({ session_id: "s", cwd: world.project, hook_event_name: "UserPromptSubmit", prompt });
  it.each<readonly [string, (world: HookWorld) => NodeJS.ProcessEnv | undefined]>([
    [
      "a home folder that is a file",
      (world) => ({ HOME: world.write("file", ""), XDG_CACHE_HOME: world.write("file", "") }),
    ],
    ["a cache folder that takes nothing", () => ({ XDG_CACHE_HOME: "/proc/nowhere" })],
    ["settings that are no YAML", (world) => void world.write("home/.config/recollect/config.yaml", "hooks: [")],
    ["settings that are a folder", (world) => void world.write("home/.config/recollect/config.yaml/x", "")],
    ["settings of the project that are no YAML", (world) => void world.write("work/app/recollect.yaml", "\t{{")],
    ["a memory that is a file", (world) => void world.write("work/app/.serena", "")],
    [
      "a salt that is a folder",
      (world) => {
        rmSync(join(world.home, ".local/share/recollect/salt"), { force: true });
        world.write("home/.local/share/recollect/salt/x", "");
        return undefined;
      },
    ],
  ])("USE-5 with %s it prints nothing, or what it can", async (_, harm) => {
    const world = await worldWithCache();
    const env = harm(world);
    const said = await printed(world, "claude-code", event(world), env ?? {});
    if (said !== "") expect(JSON.parse(said)).toHaveProperty("hookSpecificOutput");
    expect(await printed(world, "gemini-cli", event(world), env ?? {})).toMatch(/^\{/);
  });

  it("USE-5 a damaged search index is made anew, or nothing is said", async () => {
    const world = await worldWithCache();
    await printed(world, "claude-code", event(world));
    const indexes = join(world.env["XDG_CACHE_HOME"] ?? "", "recollect", "search");
    for (const name of readdirSync(indexes)) writeFileSync(join(indexes, name), "no database");
    const said = await printed(world, "claude-code", event(world).replace('"s"', '"s2"'));
    if (said !== "") expect(said).toContain("Hash the lockfile");
  });

  it("USE-5 logs of sessions that are torn, foreign, huge or of another version do not stop it", async () => {
    const world = await worldWithCache();
    await world.claude("SessionStart", { source: "startup" });
    const [name = ""] = readdirSync(logsOf(world)).filter((one) => one.startsWith("session-"));
    const log = join(logsOf(world), name);
    const lines = fc.array(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .record({
            t: fc.constantFrom("given", "failed", "passed", "edited", "asked", "told", "described"),
            files: fc.anything(),
            tokens: fc.anything(),
          })
          .map((line) => JSON.stringify(line)),
      ),
    );
    for (const [at, garbage] of fc.sample(lines, { numRuns: someRuns(10, 100), seed: 7 }).entries()) {
      writeFileSync(log, `${garbage.join("\n")}{"t":"giv`);
      const { context } = await world.claude("UserPromptSubmit", { prompt });
      expect([at, context?.includes("Hash the lockfile")]).toEqual([at, true]);
      expect(await world.claude("Stop", {})).toEqual({});
    }
    appendFileSync(log, "x".repeat(6 * 1024 * 1024));
    expect((await world.claude("UserPromptSubmit", { prompt })).context).toContain("Hash the lockfile");
    rmSync(log);
    mkdirSync(log);
    expect(await printed(world, "claude-code", event(world).replace('"s"', '"s1"'))).toBe("");
  });

  it("USE-5 on a full disk nothing is said", async () => {
    if (!existsSync("/dev/full")) return;
    const world = await worldWithCache();
    await world.claude("SessionStart", { source: "startup" });
    const [name = ""] = readdirSync(logsOf(world)).filter((one) => one.startsWith("session-"));
    rmSync(join(logsOf(world), name));
    symlinkSync("/dev/full", join(logsOf(world), name));
    expect(await printed(world, "claude-code", event(world).replace('"s"', '"s1"'))).toBe("");
  });

  it("USE-5 logs go after seven days, and a clock that was set back changes nothing", async () => {
    const world = await worldWithCache();
    await world.claude("UserPromptSubmit", { prompt });
    const days = (count: number) => Date.now() / 1000 + count * 24 * 3600;
    const [name = ""] = readdirSync(logsOf(world));
    utimesSync(join(logsOf(world), name), days(30), days(30));
    expect(await world.claude("UserPromptSubmit", { prompt })).toEqual({});
    await world.claude("SessionEnd", { session_id: "s2" });
    expect(readdirSync(logsOf(world))).toContain(name);
    utimesSync(join(logsOf(world), name), days(-8), days(-8));
    await world.claude("SessionEnd", { session_id: "s2" });
    expect(readdirSync(logsOf(world))).not.toContain(name);
  });

  it("USE-5 sessions of one id in two projects do not share what they were given", async () => {
    const world = await worldWithCache();
    expect((await world.claude("UserPromptSubmit", { prompt })).context).toContain("Hash the lockfile");
    const other = world.write("work/other/.git/HEAD", "").replace("/.git/HEAD", "");
    world.write("home/.serena/memories/global/cache.md", "");
    await world.claude("UserPromptSubmit", { prompt, cwd: other });
    await world.claude("SessionStart", { source: "compact", cwd: other });
    expect(await world.claude("UserPromptSubmit", { prompt })).toEqual({});
  });
});

describe("USE-5 the budget", () => {
  it("USE-5 gives at most 1,500 tokens in any 20 prompts, nothing twice, and later as much as at first", async () => {
    const world = hookWorld(folders.make());
    for (const subject of subjects) {
      const text = `The ${subject} upgrade needs a maintenance window and a rollback plan. `.repeat(8);
      await world.note(`ops/${subject}`, `# Upgrade of ${subject}\n\n${text}\n`);
    }
    const steps = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...subjects) },
        { weight: 2, arbitrary: fc.constant("chatter") },
        { weight: 1, arbitrary: fc.constantFrom("compact", "subagent", "clear") },
      ),
      { minLength: 15, maxLength: 25 },
    );
    let session = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        session += 1;
        await takeSteps(world, `s${session}`, taken);
      }),
      { numRuns: someRuns(2, 40) },
    );
  });

  it("USE-5 three long notes leave room for a fourth", async () => {
    const world = hookWorld(folders.make());
    const four = subjects.slice(0, 4);
    for (const subject of four) {
      const text = `The ${subject} upgrade needs a maintenance window and a rollback plan.\n`.repeat(28);
      await world.note(`ops/${subject}`, `# Upgrade of ${subject}\n\n${text}`);
    }
    for (const subject of four) {
      const { context = "" } = await world.claude("UserPromptSubmit", { prompt: `plan the ${subject} upgrade` });
      expect([subject, context.includes(`> The ${subject} upgrade needs`)]).toEqual([subject, true]);
      expect(context).toMatch(/\(cut, \d+ more lines\)/);
    }
  });

  it("USE-5 prompt 40 gets as much as prompt 2", async () => {
    const world = await worldWithCache();
    for (let at = 0; at < 39; at += 1) await world.claude("UserPromptSubmit", { prompt: at === 0 ? "hello" : "go on" });
    expect((await world.claude("UserPromptSubmit", { prompt })).context).toContain("Hash the lockfile");
  });
});

async function takeSteps(world: HookWorld, session: string, steps: readonly string[]): Promise<void> {
  let given: number[] = [];
  let seen = new Set<string>();
  const tell = async (name: string, most: number, fields: object) => {
    const { context = "" } = await world.claude(name, { session_id: session, ...fields });
    expect(countTokens(context)).toBeLessThanOrEqual(most);
    return context;
  };
  for (const step of steps) {
    if (step === "compact" || step === "clear") {
      const context = await tell("SessionStart", 600, { source: step });
      [given, seen] = [[countTokens(context)], new Set(quoted(context))];
    } else if (step === "subagent") {
      await tell("SubagentStart", 400, { agent_id: "a" });
    } else {
      const prompt = step === "chatter" ? "go on" : `plan the ${step} upgrade and its rollback`;
      const context = await tell("UserPromptSubmit", 600, { prompt });
      given.push(countTokens(context));
      expect(given.slice(-20).reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(1500);
      expect(quoted(context).filter((name) => seen.has(name))).toEqual([]);
      for (const name of quoted(context)) seen.add(name);
    }
  }
}

/** The names of the records in an answer. */
function quoted(context: string): string[] {
  return [...context.matchAll(/^> (ops\/\w+) ›/gm)].map(([, name = ""]) => name);
}
