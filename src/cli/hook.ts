import { homedir } from "node:os";
import { Argument, Command } from "commander";
import { RecollectError, type UserPlace } from "../app.ts";
import { hookClients } from "../hooks/dialect.ts";
import type { Io } from "./output.ts";

interface HookOptions {
  readonly explain?: string;
  readonly json?: boolean;
}

/** `recollect hook CLIENT`: what `recollect init` has clients run; a person runs it with `--explain`. */
export function hookCommand(io: Io): Command {
  return new Command("hook")
    .description("answer an event of a client, as set up by init; --explain shows what a prompt would get, and why")
    .addArgument(new Argument("[client]", "whose event comes on stdin as JSON").choices(hookClients))
    .option("--explain <prompt>", "show the records that this prompt would get, and those that come near")
    .option("--json", "answer with one JSON object")
    .action(async (client: string | undefined, { explain, json = false }: HookOptions) => {
      if (explain !== undefined) {
        const { explainPrompt } = await import("./explain-prompt.ts");
        return explainPrompt(io, { prompt: explain, json, user: userOf(io), cwd: io.place?.cwd ?? process.cwd() });
      }
      if (client !== undefined) return answerHookInput(io, client);
      throw new RecollectError(
        "INVALID_ARGUMENT",
        `Whose hook is it? Give one of ${hookClients.join(", ")}, or --explain.`,
      );
    })
    .addHelpText(
      "after",
      `
Examples:
  $ recollect hook --explain "why does CI restore an old cache?"
  $ recollect hook claude-code < event.json`,
    );
}

/** As the small program of hooks does it, for who calls it by another way. */
export async function answerHookInput(io: Io, client: string): Promise<void> {
  const { answerInTime } = await import("../hooks/process.ts");
  const { text, isLate } = await answerInTime(inputOf(io), client, { user: userOf(io), tell: io.err });
  if (text !== "") io.out(`${text}\n`);
  if (isLate) io.leave?.();
}

async function* inputOf({ readInput }: Io): AsyncGenerator<Buffer> {
  const input = await readInput();
  if (input !== undefined) yield input;
}

function userOf(io: Io): UserPlace {
  const { env = process.env, home = homedir() } = io.place ?? {};
  return { env, home, platform: process.platform };
}
