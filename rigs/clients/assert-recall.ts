import { type Assertion, everyClient, talk } from "./assertion.ts";
import { aboutCache, cacheNote, deployNote, longNotes, putNotes } from "./notes.ts";
import { recordsIn, startIn, textOf, timesIn, tokensOf } from "./requests.ts";

/** About the note of the cache, in other words. */
const onCache = [
  aboutCache,
  "The pipeline restores stale packages again, can you look at the CI cache?",
  "CI dependency cache is old after the upgrade",
  "what was wrong with the cache key in CI?",
  "Explain how the dependency cache in CI is restored.",
];
const ordinary = [
  "Rename the variable in the first function.",
  "Go on.",
  "Write a haiku about autumn.",
  "What is the capital of Peru?",
  "Thanks, looks good.",
];
const irrelevant = [
  ...ordinary,
  "Translate “good morning” into Spanish.",
  "How tall is Mount Everest?",
  "Yes, do that.",
  "Recommend a book about whales.",
  "Convert 30 degrees Celsius to Fahrenheit.",
];
const cacheWords = "restore-amber";
const deployWords = "release-teal";

function mixed(count: number): string[] {
  const pick = (all: readonly string[], at: number) => all[at % all.length] as string;
  return Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? pick(onCache, at / 2) : pick(ordinary, (at - 1) / 2),
  );
}

export const recallAssertions: readonly Assertion[] = [
  {
    id: "once",
    name: "what is on record of a prompt's subject comes with it, once in 20 prompts",
    broken: { "clients-twice": everyClient, "clients-mute": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote);
      const [opening = "", ...others] = mixed(20);
      const [begun] = await talk(world, row, [opening]);
      const first = timesIn(textOf(begun?.requests[0]), cacheWords);
      if (first !== 1) return `the first prompt got the record ${first} times`;
      const asked = await talk(world, row, others, { isContinued: true });
      const last = timesIn(textOf(asked.at(-1)?.requests.at(-1)), cacheWords);
      return last === 1 ? undefined : `after 20 prompts the record was there ${last} times`;
    },
  },
  {
    id: "late",
    name: "prompt 40 gets what prompt 2 would have got",
    broken: { "clients-dry": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote, deployNote);
      await talk(world, row, mixed(39));
      const [late] = await talk(world, row, ["From which branch do we deploy to staging?"], { isContinued: true });
      return timesIn(textOf(late?.requests[0]), deployWords) === 1 ? undefined : "prompt 40 did not get the record";
    },
  },
  {
    id: "silent",
    name: "prompts that no note bears on get nothing",
    broken: { "clients-talkative": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote, deployNote);
      const asked = await talk(world, row, ["Hello!", ...irrelevant]);
      const given = recordsIn(asked.at(-1)?.requests.at(-1));
      return given.length === 0 ? undefined : `they got: ${given.join(" / ").slice(0, 300)}`;
    },
  },
  {
    id: "budget",
    name: "a session starts with at most 150 tokens, a prompt gets at most 600, and 20 prompts at most 1,500",
    broken: { "clients-greedy": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, ...longNotes);
      const prompts = Array.from({ length: 20 }, (_, at) => longNotes[at % longNotes.length]?.name.split("/")[1]);
      const asked = await talk(
        world,
        row,
        prompts.map((subject) => `The ${subject} skips a queue. What does each step of the ${subject} check?`),
      );
      const last = asked.at(-1)?.requests.at(-1);
      const started = tokensOf(startIn(last));
      const sizes = recordsIn(last).map(tokensOf);
      const sum = sizes.reduce((before, size) => before + size, 0);
      if (sizes.length < 3) return `only ${sizes.length} prompts got a record`;
      if (started > 150) return `the session started with ${started} tokens`;
      if (Math.max(...sizes) > 600) return `one prompt got ${Math.max(...sizes)} tokens`;
      return sum <= 1500 ? undefined : `20 prompts got ${sum} tokens`;
    },
  },
];
