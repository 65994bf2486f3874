import { buffer } from "node:stream/consumers";
import { config } from "zod";
import { runCli } from "./main.ts";
import { exitCodes, type Io } from "./output.ts";

// Compiling a checker for each schema costs more at the start than it saves on the few calls of a session. Whoever makes
// a schema is loaded after this, and it is no business of a program that has us as a library.
config({ jitless: true });

/** The real process around `runCli`; what bin/recollect.cjs starts. */
export async function runProcess(): Promise<void> {
  process.stdout.on("error", endOfOutput);
  // Where stderr is gone there is nobody left to tell.
  process.stderr.on("error", () => {});
  const io: Io = {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: process.stdout.isTTY,
    leave: () => process.exit(exitCodes.done),
    readInput: async () => (process.stdin.isTTY ? undefined : buffer(process.stdin)),
    ...(process.stdout.isTTY && process.stdin.isTTY ? { confirm: ask, choose, askSecret } : {}),
  };
  const code = await runCli(process.argv.slice(2), io);
  process.exitCode ??= code;
}

async function ask(question: string): Promise<boolean> {
  // Few commands ask.
  const { askOnTerminal } = await import("./ask-on-terminal.ts");
  return askOnTerminal(question);
}

async function choose(question: string, letters: readonly string[]): Promise<string | undefined> {
  const { chooseOnTerminal } = await import("./ask-on-terminal.ts");
  return chooseOnTerminal(question, letters);
}

async function askSecret(question: string): Promise<string> {
  const { askSecretOnTerminal } = await import("./ask-on-terminal.ts");
  return askSecretOnTerminal(question);
}

/** A reader such as `head` goes when it has enough, which is its right; a full disk is a failure. */
function endOfOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  process.stderr.write(`recollect: the answer cannot be written to stdout (${error.code}).\n`);
  process.exitCode = 1;
}
