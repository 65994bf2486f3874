import { type Assertion, everyClient, running } from "./assertion.ts";
import type { ClientRow } from "./client-rows.ts";
import type { ClientWorld } from "./client-world.ts";
import { compact } from "./compact.ts";
import type { ModelRequest, ModelScript } from "./model-script.ts";
import { aboutCache, cacheNote, errorNote, failingCheck, putNotes } from "./notes.ts";
import { recordsIn, startIn, textOf, timesIn, tokensOf } from "./requests.ts";

export const sessionAssertions: readonly Assertion[] = [
  {
    id: "compacted",
    name: "after a compaction, the session gets again what it had been given",
    broken: { "clients-forgetful": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote);
      const last = (await compact(world, row)).at(-1);
      const times = timesIn(textOf(last), "restore-amber");
      if (times !== 1) return `the record was there ${times} times`;
      const [block = ""] = recordsIn(last);
      if (!block.includes("after a compaction"))
        return "the conversation was not shortened, or the record not given again";
      return tokensOf(block) <= 600 ? undefined : `it had ${tokensOf(block)} tokens`;
    },
  },
  {
    id: "error",
    name: "a command that fails with an error on record gets the fix, in 200 tokens",
    broken: { "clients-no-errors": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote, errorNote);
      world.put("check", failingCheck, 0o755);
      const { requests, err } = await world.ask(row, "Go on.", { script: running(row) });
      const [block] = recordsIn(requests.at(-1));
      if (!textOf(requests.at(-1)).includes("is locked by writer"))
        return `the command did not run: ${err.slice(-300)}`;
      if (!block?.includes("unlock-indigo")) return "the fix was not there";
      return tokensOf(block) <= 200 ? undefined : `it had ${tokensOf(block)} tokens`;
    },
  },
  {
    id: "delegated",
    name: "a subagent begins with what its session was given, in 400 tokens",
    broken: { "clients-lone-subagents": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote);
      const task = "Count the steps of the pipeline.";
      const delegate = row.delegate?.(task);
      if (delegate === undefined) return "the client has no subagents";
      const isSubagent = ({ messages }: ModelRequest) =>
        messages.some(({ role, text }) => role === "user" && text.includes(task)) &&
        !messages.some(({ text }) => text.includes(aboutCache));
      let isDelegated = false;
      const script: ModelScript = (request) => {
        if (isDelegated || isSubagent(request)) return { text: "Done." };
        isDelegated = true;
        return { calls: [delegate] };
      };
      const { requests, err } = await world.ask(row, aboutCache, { script });
      const own = requests.find(isSubagent);
      if (own === undefined) return `no subagent began: ${err.slice(-300)}`;
      const [block = ""] = recordsIn(own);
      if (!block.includes("restore-amber")) return "the record was not in the subagent's first request";
      return tokensOf(block) <= 400 ? undefined : `it had ${tokensOf(block)} tokens`;
    },
  },
  {
    id: "last",
    name: "the next session knows of the last one",
    broken: { "clients-no-sessions": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      return await goesOn(world, row, row);
    },
  },
  {
    id: "elsewhere",
    name: "a session in another client knows of the last one",
    broken: { "clients-no-sessions": everyClient },
    check: async ({ row, other, open }) => {
      const world = await open();
      await world.setUp(row, other);
      return await goesOn(world, row, other);
    },
  },
  {
    id: "corrected",
    name: "what was corrected reaches no later session, in no client",
    broken: { "clients-stale": everyClient },
    check: async ({ row, other, open }) => {
      const world = await open();
      await world.setUp(row, other);
      putNotes(world, {
        name: "db/port",
        text: "# Port of the staging database\n\nThe staging database listens on port 6111.\n",
      });
      const ask = "On which port does the staging database listen?";
      const before = await world.ask(row, ask);
      if (!textOf(before.requests[0]).includes("6111")) return "the falsehood was not given to begin with";
      await world.recollect("memories", "edit", "db/port", "port 6111", "port 7222");
      for (const client of [row, other]) {
        const text = textOf((await world.ask(client, ask)).requests[0]);
        if (text.includes("6111")) return `${client.id} was given the falsehood`;
        if (!text.includes("7222")) return `${client.id} was not given the correction`;
      }
      return undefined;
    },
  },
];

async function goesOn(world: ClientWorld, first: ClientRow, second: ClientRow): Promise<string | undefined> {
  await world.ask(first, "Add a checkbox for the newsletter to the form.", {
    script: () => ({ text: "The box is there." }),
  });
  const { requests } = await world.ask(second, "Hello!");
  const start = startIn(requests[0]);
  const missing = ["newsletter", first.id].filter((words) => !start.includes(words));
  return missing.length === 0 ? undefined : `no word of ${missing.join(", ")} in: ${start.slice(0, 300)}`;
}
