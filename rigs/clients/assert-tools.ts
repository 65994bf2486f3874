import { type Assertion, calling, everyClient, resultsIn } from "./assertion.ts";
import type { ClientWorld } from "./client-world.ts";
import { type ModelRequest, offeredName } from "./model-script.ts";
import { aboutCache, cacheNote, putManyNotes, putNotes } from "./notes.ts";
import { textOf, timesIn } from "./requests.ts";

const lesson = {
  topic: "ci",
  subtopic: "cache",
  title: "CI restored an old cache after a dependency upgrade",
  problem: "CI restored an old cache after a dependency upgrade",
  solution: "Hash the lockfile into the key.",
  context: "main",
};

function missingTools(first: ModelRequest | undefined): string | undefined {
  if (first === undefined) return "no request came";
  const missing = ["search_memory", "store_in_memory"].filter((tool) => {
    const offered = first.tools.find(({ name }) => name === offeredName(first, tool));
    return !JSON.stringify(offered?.schema ?? {}).includes("properties");
  });
  return missing.length === 0 ? undefined : `without ${missing.join(", ")}`;
}

function missingTriggers(first: ModelRequest | undefined): string | undefined {
  const text = textOf(first);
  const missing = ["when a command fails", "store_in_memory after"].filter((words) => !text.includes(words));
  return missing.length === 0 ? undefined : `without the words “${missing.join("”, “")}”`;
}

export const toolAssertions: readonly Assertion[] = [
  {
    id: "loaded",
    name: "the finding and the storing tool are in request 1 with their schemas",
    broken: { "clients-deferred": ["claude-code"], "clients-toolless": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      const { requests } = await world.ask(row, "Say hello.");
      return missingTools(requests[0]);
    },
  },
  {
    id: "told",
    name: "the instructions with their triggers are in request 1",
    broken: { "clients-untold": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      const { requests } = await world.ask(row, "Say hello.");
      return missingTriggers(requests[0]);
    },
  },
  {
    id: "cold",
    name: "tools and instructions are in request 1 also with 10,000 notes and nothing in any cache",
    // Gemini CLI waits ten minutes for a server, so that none is too slow for it.
    broken: { "clients-slow-start": ["claude-code", "codex", "opencode"] },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putManyNotes(world, 10_000);
      const { requests } = await world.ask(row, "Say hello.");
      return missingTools(requests[0]) ?? missingTriggers(requests[0]);
    },
  },
  {
    id: "runs",
    name: "tools that read and add run without a question, and one that deletes does not",
    broken: { "clients-toolless": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote);
      const stored = await world.ask(row, "Remember that.", { script: calling("store_in_memory", lesson) });
      const log = await logOf(world);
      if (!log.includes("ci/cache"))
        return `nothing was stored: ${resultsIn(stored.requests).join(" / ").slice(0, 300)}`;
      const found = await world.ask(row, "Why is it stale?", {
        script: calling("search_memory", { query: "stale cache" }),
      });
      const [result = "no result"] = resultsIn(found.requests);
      if (!/restore-amber|Hash the lockfile/.test(result)) return `search_memory answered: ${result.slice(0, 300)}`;
      await world.ask(row, "Delete it.", { script: calling("delete_memory", { memory_name: cacheNote.name }) });
      const { out } = await world.recollect("memories", "list", "--json");
      return out.includes("ci/cache") ? undefined : "delete_memory ran without a question";
    },
  },
  {
    id: "streamed",
    name: "a program that reads the client's events has tools, instructions and records like a person",
    broken: { "clients-toolless": everyClient, "clients-mute": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote);
      const { code, out, err, requests } = await world.ask(row, aboutCache, { isStreamed: true });
      if (code !== 0) return `it ended with ${code}: ${err.slice(-300)}`;
      const odd = out.split("\n").find((line) => line.trim() !== "" && !isJson(line));
      if (odd !== undefined) return `a line that is no JSON: ${odd.slice(0, 200)}`;
      const missing = missingTools(requests[0]) ?? missingTriggers(requests[0]);
      if (missing !== undefined) return missing;
      const times = timesIn(textOf(requests[0]), "restore-amber");
      return times === 1 ? undefined : `the record was there ${times} times`;
    },
  },
  {
    id: "author",
    name: "what a client stores has the client as its author",
    broken: { "clients-no-author": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      await world.ask(row, "Remember that.", { script: calling("store_in_memory", lesson) });
      const log = await logOf(world);
      return log.includes(`agent:${row.id}`) ? undefined : `the log has no agent:${row.id}: ${log.slice(0, 300)}`;
    },
  },
];

async function logOf(world: ClientWorld): Promise<string> {
  return (await world.recollect("log", "--json")).out;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
