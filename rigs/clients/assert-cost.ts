import { type Assertion, calling, resultsIn } from "./assertion.ts";
import { textOfCall } from "./call-tool.ts";
import { cacheNote, deployNote, errorNote, putNotes } from "./notes.ts";
import { tokensOf } from "./requests.ts";

const calls = [
  { name: "search_memory", input: { query: "dependency cache" } },
  { name: "recall_context", input: { query: "repair the dependency cache of CI" } },
  { name: "read_memory", input: { memory_name: cacheNote.name } },
];
/** What a client writes around an answer, such as how long it took. */
const wrapping = 20;

export const costAssertions: readonly Assertion[] = [
  {
    id: "lean",
    name: "an answer of a tool costs the model at most 1.15 times its text",
    broken: { "clients-bulky": ["claude-code", "codex"] },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote, deployNote, errorNote);
      const options = { cwd: world.place.project, env: world.envOf(row) };
      for (const call of calls) {
        const text = await textOfCall(world.program, call, options);
        const { requests } = await world.ask(row, "Look it up.", { script: calling(call.name, call.input) });
        const [result] = resultsIn(requests);
        if (result === undefined) return `${call.name} was not called`;
        const [sent, needed] = [tokensOf(result), tokensOf(text)];
        if (sent - wrapping > 1.15 * needed) return `${call.name}: ${sent} tokens for a text of ${needed}`;
      }
      return undefined;
    },
  },
];
