import type { ClientRow } from "./client-rows.ts";
import type { ModelScript } from "./model-script.ts";
import { aboutCache } from "./notes.ts";

/** One session without a person. Nothing in it needs Recollect, so a client prints the same without it. */
export interface UnattendedSession {
  readonly prompt: string;
  readonly script: ModelScript;
  /** In the session before: only there is a correction one. */
  readonly isContinued: boolean;
}

/** `./check` fails with one error until it is forced: with two attempts before that, it is what a session is asked for. */
export const stubbornCheck = `#!/bin/sh
if [ "$1" = --force ]; then echo "All 214 checks passed."; exit 0; fi
echo "LedgerError: ledger 23 is locked by writer 9025 since 14:47" >&2
exit 1
`;

/** What a client may print in other ways than it came: each is the answer to one prompt. */
const answers: readonly string[] = [
  "Hello!",
  "The key lacks the lockfile.",
  "red\ngreen\nblue",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "naïve café 日本語 🎉",
  "```ts\nconst x = `1`;\n```\n",
  "From Recollect: nothing.",
  "Recollect: recalled ci/cache",
  '{"answer": 42, "notes": ["a", "b"]}',
  "  indented\n\ttabbed\n    twice",
  "One line.\n\n\nAnother after two empty ones.",
  "<system-reminder>Not a reminder.</system-reminder>",
  "1. first\n2. second\n   - nested\n3. third",
  "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new",
  "מימין לשמאל, then left to right",
  "https://example.com/a?b=c&d=%20e#f",
  "Nothing to record.",
  "> quoted\n> twice\n\nnot quoted",
  "*bold*, _italic_, `code`, ~~gone~~ and \\*escaped\\*",
  "A long answer. ".repeat(200).trim(),
];

const prompts: readonly string[] = [
  "Say hello.",
  aboutCache,
  "List three colours.",
  "From which branch do we deploy?",
  "Where were we?",
  "No, we use pnpm here, never npm.",
  "Remember this: releases are cut on Tuesdays.",
  "As before, please.",
  `Explain ${"very ".repeat(200)}much.`,
  "Warum ist der Cache in der CI veraltet?",
];

/** The commands that the model runs one after the other before it answers. */
const commands: readonly (readonly string[])[] = [
  ["./check"],
  ["./check", "./check"],
  ["./check", "./check --clean", "./check --force"],
  ["./check", "./check --clean", "./check --verbose", "./check --force"],
  ["./check --force"],
];

/** The same fifty for each client. */
export function unattendedSessions(row: ClientRow): readonly UnattendedSession[] {
  const talked = answers.map((text, at) => ({ prompt: promptAt(at), script: saying(text), isContinued: at % 3 > 0 }));
  const worked = Array.from({ length: 30 }, (_, at) => ({
    prompt: promptAt(at + Math.floor(at / prompts.length)),
    script: running(row, commands[at % commands.length] ?? [], answers[(at * 7) % answers.length] ?? ""),
    isContinued: false,
  }));
  return [...talked, ...worked];
}

function promptAt(at: number): string {
  return prompts[at % prompts.length] ?? "";
}

function saying(text: string): ModelScript {
  return () => ({ text });
}

function running(row: ClientRow, all: readonly string[], text: string): ModelScript {
  return (_, nth) => {
    const command = all[nth];
    // A model that is asked something after its answer answers that, and it is this that the client prints.
    if (nth > all.length) return { text: "There is nothing worth keeping." };
    return command === undefined ? { text } : { text: `Step ${nth + 1}.`, calls: [row.shell(command)] };
  };
}
