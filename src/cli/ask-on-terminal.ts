import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Anything but a yes is a no, the end of input included. */
export async function askOnTerminal(question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await answerOnTerminal(`${question} [y/N] `));
}

/** The letter of one of these answers; undefined for anything else. */
export async function chooseOnTerminal(question: string, letters: readonly string[]): Promise<string | undefined> {
  const answer = (await answerOnTerminal(`${question} `)).trim().toLowerCase();
  return letters.find((letter) => letter === answer);
}

async function answerOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(question), ended]);
    // Who ends the input leaves the cursor behind the question.
    if (answer === undefined) process.stdout.write("\n");
    return answer ?? "";
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
