import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { tryServer } from "../../../src/clients/connection/try-server.ts";

const run = (script: string, patienceMs = 10_000, command = process.execPath) =>
  tryServer({ command, args: ["-e", script], env: {}, cwd: "/" }, patienceMs);

/** Answers as a server does; each part of it can be replaced. */
const answering = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === "tools/list" ? { tools: [{}, {}, {}] } : {};
  if (id) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});`;

describe("USE-9 a server is started as a client starts it", () => {
  it("USE-9 counts the tools of one that answers, whatever else it prints", async () => {
    expect(await run(`console.log("starting …\\n[1,"); ${answering}`)).toMatchObject({ kind: "connected", tools: 3 });
  });

  it.each([
    [
      "ends at once",
      `console.error("recollect needs Node 22.13 or newer; this is 18.1.0.\\nGet it"); process.exit(1)`,
      "it ended with code 1: recollect needs Node 22.13 or newer; this is 18.1.0.",
    ],
    ["ends without a word", "process.exit(3)", "it ended with code 3 and said nothing"],
    [
      "cannot find a module",
      "require('/gone/module')",
      "it ended with code 1: Error: Cannot find module '/gone/module'",
    ],
    [
      "prints megabytes",
      `setInterval(() => process.stdout.write("x".repeat(1 << 20)), 1)`,
      "it printed megabytes, and no answer",
    ],
    [
      "refuses",
      `process.stdin.once("data", () => console.log('{"id":1,"error":{"code":-32600}}'))`,
      "it refuses to begin",
    ],
  ])("USE-9 says what is wrong with one that %s", async (_, script, says) => {
    expect(await run(script)).toEqual({ kind: "failed", says });
  });

  it("USE-9 does not wait for one that hangs, and ends it with what it started", async () => {
    const child = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]).pid`;
    const script = `console.error("pid " + ${child}); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`;
    const trial = await run(script, 1500);
    expect(trial).toMatchObject({
      kind: "failed",
      says: expect.stringMatching(/^it did not answer within 1.5 s/),
    });
    const pid = Number(/pid (\d+)/.exec("says" in trial ? trial.says : "")?.[1]);
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  it("USE-9 says that a command was not found", async () => {
    expect(await run("", undefined, "/gone/away/node")).toEqual({
      kind: "failed",
      says: "its command /gone/away/node was not found",
    });
  });
});

/** A process that was killed stays in the list until its parent asks, which may be one that never does. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
