import { buffer } from "node:stream/consumers";
import { runCli } from "./main.ts";
import type { Io } from "./output.ts";

/** The real process around `runCli`; what bin/recollect.cjs starts. */
export async function runProcess(): Promise<void> {
  const io: Io = {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: process.stdout.isTTY,
    readInput: async () => (process.stdin.isTTY ? undefined : buffer(process.stdin)),
  };
  process.exitCode = await runCli(process.argv.slice(2), io);
}
