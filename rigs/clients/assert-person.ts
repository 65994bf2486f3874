import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Assertion, calling, everyClient } from "./assertion.ts";
import { binaryOf, type ClientRow } from "./client-rows.ts";
import type { ClientWorld } from "./client-world.ts";
import type { ModelRequest, ModelScript } from "./model-script.ts";
import { aboutCache, cacheNote, putNotes } from "./notes.ts";
import { recordsIn, textOf } from "./requests.ts";
import { openTerminal } from "./terminal.ts";

interface Sitting {
  readonly prompt: string;
  readonly script?: ModelScript;
  /** What the person must see afterwards. */
  readonly sees: RegExp;
}

/** A person at a terminal: one prompt, and a look at the screen. */
async function sit(
  world: ClientWorld,
  row: ClientRow,
  { prompt, script, sees }: Sitting,
): Promise<readonly ModelRequest[]> {
  const from = world.model.requests.length;
  world.model.play(script ?? (() => ({ text: "Done." })));
  const command = [binaryOf(row, world.place.prefix)];
  const terminal = openTerminal(command, { cwd: world.place.project, env: world.envOf(row) });
  try {
    await terminal.waitFor(row.ready);
    await terminal.enter(prompt);
    await terminal.waitFor(sees);
    await terminal.waitFor(/Done\./);
    return world.model.requests.slice(from);
  } finally {
    terminal.close();
  }
}

export const personAssertions: readonly Assertion[] = [
  {
    id: "seen",
    name: "the person sees a line for what was recalled, and none of it is in a request",
    broken: { "clients-unseen": everyClient, "clients-overheard": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote);
      const requests = await sit(world, row, { prompt: aboutCache, sees: /Recollect: recalled ci\/cache/ });
      const text = requests.map(textOf).join("\n");
      if (!text.includes("restore-amber")) return "the record was not in a request";
      return text.includes("Recollect: recalled") ? "the line was in a request, too" : undefined;
    },
  },
  {
    id: "first-day",
    name: "where Claude Code remembers already: session 1 has it, session 2 what session 1 stored, and the person saw both",
    broken: { "clients-no-adoption": ["claude-code"] },
    check: async ({ row, open }) => {
      const world = await open();
      const slug = world.place.project.replaceAll(/[^A-Za-z0-9]/g, "-");
      const folder = join(world.place.home, ".claude/projects", slug, "memory");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "MEMORY.md"), "- [Ports](ports.md) — which service listens where\n");
      writeFileSync(
        join(folder, "ports.md"),
        "---\nname: ports\ndescription: which service listens where\nmetadata:\n  type: project\n---\nThe invoice service listens on port 7331, behind the proxy.\n",
      );
      await world.setUp(row);
      const lesson = {
        topic: "build",
        subtopic: "docker",
        title: "The docker build ran out of disk space",
        problem: "The docker build failed with no space left on device.",
        solution: "Prune the builder cache first: `make prune-cobalt`.",
        context: "main",
      };
      const first = await sit(world, row, {
        prompt: "On which port does the invoice service listen?",
        script: calling("store_in_memory", lesson),
        sees: /Recollect: recalled [\s\S]*Recollect: stored build\/docker/,
      });
      if (!recordsIn(first[0]).join("").includes("7331")) return "session 1 did not get what Claude Code remembers";
      const second = await sit(world, row, {
        prompt: "The docker build has no disk space left, what now?",
        sees: /Recollect: recalled build\/docker/,
      });
      return recordsIn(second[0]).join("").includes("prune-cobalt") ? undefined : "session 2 did not get the lesson";
    },
  },
];
