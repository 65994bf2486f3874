import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { bin, checkout } from "../helpers/checkout.ts";
import { cliProcess } from "../helpers/cli.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

it("USE-5 twenty hooks at once on one project lose nothing", async () => {
  const { project, env } = memoryWorld(folders.make());
  const events = Array.from({ length: 20 }, (_, at) => ({
    session_id: "s",
    cwd: project,
    hook_event_name: "PostToolUse",
    tool_name: "Edit",
    tool_input: { file_path: join(project, `src/file-${at}.ts`) },
  }));
  const answers = await Promise.all(
    events.map((event) => cliProcess(["hook", "claude-code"], { input: JSON.stringify(event), env, cwd: "/" })),
  );
  expect(answers).toEqual(events.map(() => ({ code: 0, out: "", err: "" })));
  const [logs, records] = [
    linesIn(join(env["XDG_CACHE_HOME"] ?? "", "recollect", "sessions"), /^session-/),
    linesIn(join(env["HOME"] ?? "", ".local", "share", "recollect", "sessions"), /\.jsonl$/),
  ];
  expect(new Set(logs.map(({ files: [file] }) => file)).size).toBe(events.length);
  expect(new Set(records.flatMap(({ files }) => files))).toEqual(new Set(events.map((_, at) => `src/file-${at}.ts`)));
}, 60_000);

it.each([
  ["codex", ""],
  ["gemini-cli", "{}\n"],
])(
  "USE-5 a hook of %s that gets no event in time ends without an answer",
  async (client, printed) => {
    const child = spawn(process.execPath, [bin, "hook", client], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write('{"session_id":');
    const code = new Promise((resolve) => child.once("close", resolve));
    expect([(await buffer(child.stdout)).toString(), await code]).toEqual([printed, 0]);
  },
  30_000,
);

it("USE-5 a hook of which nothing can be read ends well all the same", async () => {
  const { code, out } = await cliProcess(["hook", "claude-code"], { input: "{", env: { HOME: "/dev/null" }, cwd: "/" });
  expect([code, out]).toEqual([0, ""]);
});

it("USE-5 the program that runs at each tool is small, and brings nothing else along", () => {
  const program = readFileSync(join(checkout, "dist", "bin", "hook.cjs"), "utf8");
  expect(program.length).toBeLessThan(44_000);
  expect(program).not.toMatch(/require\("\.\/|node:sqlite|modelcontextprotocol/);
});

function linesIn(folder: string, name: RegExp): { files: string[] }[] {
  const files = readdirSync(folder).filter((one) => name.test(one));
  return files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}
