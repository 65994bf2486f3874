import { spawn } from "node:child_process";
import { join } from "node:path";
import { repository } from "../library.ts";
import { callsPerSecond, type HttpTarget } from "../mcp-over-http.ts";
import type { Measurement, Row } from "../measurement.ts";
import { firstLine, type ServeProcess, startServe } from "../serve-process.ts";
import { summarize } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const rounds = 8;
const slice = { clients: 16, ms: 700 };

/** Calls of tools through `recollect serve`, beside a bare server of the SDK with an empty tool, by turns in one run. */
export const http: Measurement = {
  name: "http",
  run: () =>
    withWorkFolder(async (folder) => {
      const [bare, ours] = await Promise.all([startBare(), startServe(folder)]);
      try {
        const token = ours.token;
        const write = {
          origin: ours.origin,
          token,
          tool: "write_memory",
          args: { memory_name: "note", content: "# Note\n\nShort.\n" },
        };
        await callsPerSecond(write, { clients: 1, ms: 1 });
        const targets: Readonly<Record<string, HttpTarget>> = {
          bare: { origin: bare.origin, tool: "nothing", args: {} },
          read: { origin: ours.origin, token, tool: "read_memory", args: { memory_name: "note" } },
          list: { origin: ours.origin, token, tool: "list_memories", args: {} },
          write,
        };
        const rates = await measure(targets);
        const reference = { name: "bare SDK server, empty tool", value: rates.get("bare") ?? 0 };
        const row = (name: string): Row => ({
          measurement: `MCP over HTTP: ${name}`,
          unit: "per second",
          ours: rates.get(name) ?? 0,
          reference,
        });
        return [{ ...row("read"), limit: 0.5, atLeast: true }, row("list"), row("write")];
      } finally {
        for (const { child } of [bare, ours]) child.kill("SIGKILL");
      }
    }),
};

/** In turns, so that a busy machine meets all alike; the first round only warms up. */
async function measure(targets: Readonly<Record<string, HttpTarget>>): Promise<ReadonlyMap<string, number>> {
  const samples = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const rate = await callsPerSecond(target, slice);
      if (round > 0) samples.get(name)?.push(rate);
    }
  }
  return new Map([...samples].map(([name, rates]) => [name, summarize(rates).median]));
}

async function startBare(): Promise<ServeProcess> {
  const child = spawn(process.execPath, [join(repository, "bench/workers/bare-mcp-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  return { child, origin: await firstLine(child) };
}
