import { setTimeout as sleep } from "node:timers/promises";
import { type Assertion, everyClient } from "./assertion.ts";
import { binaryOf, type ClientRow } from "./client-rows.ts";
import type { ClientWorld } from "./client-world.ts";
import { textOf } from "./requests.ts";
import { openTerminal } from "./terminal.ts";

const question = "Before you finish:";
/** So long after an answer, a client has long asked its hooks whether the turn may end. */
const settledMs = 5000;

/** Several prompts of a person at one terminal; says how many questions the model was asked after each. */
async function questionsAfter(world: ClientWorld, row: ClientRow, prompts: readonly string[]): Promise<number[]> {
  let answers = 0;
  world.model.play(() => {
    answers += 1;
    return { text: `Answer ${answers}.` };
  });
  const command = [binaryOf(row, world.place.prefix)];
  const terminal = openTerminal(command, { cwd: world.place.project, env: world.envOf(row) });
  const counts: number[] = [];
  try {
    await terminal.waitFor(row.ready);
    for (const prompt of prompts) {
      const from = world.model.requests.length;
      await terminal.enter(prompt);
      await terminal.waitFor(new RegExp(`Answer ${answers + 1}\\.`));
      await sleep(settledMs);
      // A prompt's first request is no answer to a question, and Claude Code repeats in it what a hook said before.
      counts.push(world.model.requests.slice(from + 1).filter((one) => textOf(one).includes(question)).length);
    }
    return counts;
  } finally {
    terminal.close();
  }
}

export const askingAssertions: readonly Assertion[] = [
  {
    id: "asked",
    name: "a person's correction is asked about once in a session, and ordinary prompts are not",
    broken: { "clients-incurious": everyClient, "clients-insistent": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      const counts = await questionsAfter(world, row, [
        "Which package manager is this?",
        "And which branch?",
        "No, we use pnpm here, never npm.",
        "No, that is wrong, we never deploy from main.",
      ]);
      return counts.join() === "0,0,1,0" ? undefined : `questions after each prompt: ${counts.join(", ")}`;
    },
  },
];
