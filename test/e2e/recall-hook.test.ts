import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { cliProcess } from "../helpers/cli.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const hook = ["recall", "--hook", "claude-code"];

it("SRCH-4 a hook's process reads the event from stdin, and prints what the client expects", async () => {
  const world = memoryWorld(folders.make());
  await world.cli(["memories", "write", "deploy", "--content", "# Deploy\nThe canary waits ten minutes.\n"]);
  const prompt = "how many minutes does the canary of a deploy wait?";
  const event = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: world.project, prompt };
  const answer = async () => {
    const { code, out } = await cliProcess(hook, {
      input: JSON.stringify(event),
      env: { HOME: world.home },
      cwd: "/",
    });
    expect(code).toBe(0);
    return out;
  };
  // Where it would take longer than a prompt waits, as on a busy machine, it prints nothing, and is right.
  let out = "";
  for (let tries = 0; out === "" && tries < 10; tries += 1) out = await answer();
  expect(JSON.parse(out)).toMatchObject({
    hookSpecificOutput: { additionalContext: expect.stringContaining("> The canary waits ten minutes.") },
  });
});

it("SRCH-4 a hook's process ends by itself where nothing comes on stdin", async () => {
  const child = spawn(process.execPath, [bin, ...hook], { stdio: ["pipe", "pipe", "pipe"] });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(0);
});
