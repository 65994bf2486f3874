import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

/** A project with an operation that nobody can bring to its end: one of its folders is none of ours. */
function brokenProject(): MemoryWorld {
  const world = memoryWorld(folders.make());
  const auxiliary = join(world.project, ".serena/memories/.recollect");
  mkdirSync(auxiliary, { recursive: true });
  const reached = { coordinator: "", folders: ["", "../../.git"] };
  const intent = { recollect: "intent", format: 1, batch: "b", ...reached, steps: [], records: [] };
  writeFileSync(join(auxiliary, "intent"), JSON.stringify(intent));
  return world;
}

/** What a server says on stderr until it says this; never settles where it does not. */
function saysOnce(args: readonly string[], said: RegExp): Promise<string> {
  const world = brokenProject();
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: world.project,
    env: { ...process.env, ...world.env },
    stdio: ["pipe", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let all = "";
  return new Promise((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      all += chunk.toString("utf8");
      if (said.test(all)) resolve(all);
    });
  });
}

describe("a server that cannot end what a killed process left behind", () => {
  it.each([["start-mcp-server"], ["serve", "--port", "0"]])("KER-7 %s says so as a warning", async (...args) => {
    const said = await saysOnce(args, /recovery.*\n/);
    const line = said.split("\n").find((one) => one.includes("recovery")) ?? "";
    expect(line).toContain("warning");
    expect(line).toContain("An operation over several folders was cut off");
  });
});
