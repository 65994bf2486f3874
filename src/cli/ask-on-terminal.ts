import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Anything but a yes is a no, the end of input included. */
export async function askOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
    // Who ends the input leaves the cursor behind the question.
    if (answer === undefined) process.stdout.write("\n");
    return /^\s*y(es)?\s*$/i.test(answer ?? "");
  } finally {
    terminal.close();
  }
}

/** What is typed is not shown. */
export async function askSecretOnTerminal(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  process.stdout.write(question);
  try {
    return await Promise.race([terminal.question(""), ended]);
  } finally {
    terminal.close();
    process.stdout.write("\n");
  }
}
