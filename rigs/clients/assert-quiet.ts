import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Assertion, everyClient, running } from "./assertion.ts";
import type { ClientRow } from "./client-rows.ts";
import type { ClientWorld } from "./client-world.ts";
import { compact } from "./compact.ts";
import { aboutCache, cacheNote, errorNote, failingCheck, putNotes } from "./notes.ts";
import { recordsIn, startIn, textOf } from "./requests.ts";
import { stubbornCheck, unattendedSessions } from "./unattended-sessions.ts";

/** What one session is given at its start, with its prompt, and with a command that fails. */
async function scene(world: ClientWorld, row: ClientRow, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { requests } = await world.ask(row, aboutCache, { script: running(row), env });
  const text = textOf(requests.at(-1));
  return [
    startIn(requests[0]) !== "" && "start",
    text.includes("restore-amber") && "prompt",
    text.includes("unlock-indigo") && "error",
  ]
    .filter((part) => part !== false)
    .join(", ");
}

function settings(world: ClientWorld, text: string): void {
  const file = join(world.place.home, ".config/recollect/config.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Ways in which a memory is broken; each is made in a world of its own. */
const breakages: Readonly<Record<string, (world: ClientWorld) => void>> = {
  "settings that are no YAML": (world) => settings(world, "hooks: [\n  ]]: {"),
  "a file for the folder of notes": (world) => {
    rmSync(join(world.place.project, ".serena/memories"), { recursive: true });
    world.put(".serena/memories", "not a folder");
  },
  "files for the user's folders": ({ place: { home } }) => {
    for (const folder of [".local/share/recollect", ".cache/recollect"]) {
      rmSync(join(home, folder), { recursive: true, force: true });
      mkdirSync(dirname(join(home, folder)), { recursive: true });
      writeFileSync(join(home, folder), "not a folder");
    }
  },
  "a note that never ends": ({ place: { project } }) => {
    execFileSync("mkfifo", [join(project, ".serena/memories/endless.md")]);
  },
};

export const quietAssertions: readonly Assertion[] = [
  {
    id: "switches",
    name: "each switch silences its event, and RECOLLECT_HOOKS=off all of them",
    broken: { "clients-no-switches": everyClient },
    check: async ({ row, open }) => {
      const world = await open();
      await world.setUp(row);
      putNotes(world, cacheNote, errorNote);
      world.put("check", failingCheck, 0o755);
      await world.ask(row, "Hello!");
      const seen: string[] = [];
      const expectScene = async (name: string, expected: string, env?: NodeJS.ProcessEnv) => {
        const got = await scene(world, row, env);
        if (got !== expected) seen.push(`${name}: ${got || "nothing"} instead of ${expected || "nothing"}`);
      };
      await expectScene("all on", "start, prompt, error");
      await expectScene("RECOLLECT_HOOKS=off", "", { RECOLLECT_HOOKS: "off" });
      for (const [name, expected] of [
        ["session_start", "prompt, error"],
        ["prompt", "start, error"],
        ["errors", "start, prompt"],
        ["sessions", "prompt, error"],
        ["enabled", ""],
      ] as const) {
        settings(world, `hooks:\n  ${name}: false\n`);
        await expectScene(name, expected);
      }
      if (row.compaction !== undefined) {
        settings(world, "hooks:\n  compaction: false\n");
        const after = await compact(world, row);
        if (recordsIn(after.at(-1)).length > 0) seen.push("compaction: the record came again");
      }
      return seen.length === 0 ? undefined : seen.join("; ");
    },
  },
  {
    id: "broken",
    name: "a memory that is broken disturbs no session",
    broken: { "clients-crash": everyClient, "clients-hang": everyClient },
    check: async ({ row, open }) => {
      for (const [name, damage] of Object.entries(breakages)) {
        const world = await open();
        await world.setUp(row);
        putNotes(world, cacheNote);
        damage(world);
        const { code, out, requests, ms } = await world.ask(row, aboutCache, {
          script: () => ({ text: "All is well." }),
        });
        const said = `code ${code}, ${requests.length} requests, ${Math.round(ms / 1000)} s: ${out.slice(0, 200)}`;
        // Each of start, prompt, answer and end has four seconds.
        if (code !== 0 || out.trim() !== "All is well." || ms > 45_000) return `${name}: ${said}`;
      }
      return undefined;
    },
  },
  {
    id: "unattended",
    name: "what 50 scripts print is byte for byte the same with and without Recollect",
    broken: { "clients-chatty": everyClient },
    check: async ({ row, open }) => {
      const [bare, set] = [await open(), await open()];
      row.prepare(bare.place);
      await row.trust(bare.place, bare.envOf(row));
      await set.setUp(row);
      for (const world of [bare, set]) {
        putNotes(world, cacheNote, errorNote);
        world.put("check", stubbornCheck, 0o755);
      }
      for (const { prompt, ...options } of unattendedSessions(row)) {
        const [without, with_] = [await bare.ask(row, prompt, options), await set.ask(row, prompt, options)];
        if (without.code !== 0) return `it failed without Recollect: ${without.err.slice(-300)}`;
        if (without.out !== with_.out || with_.code !== 0) {
          return `“${prompt.slice(0, 40)}” printed ${JSON.stringify(with_.out.slice(0, 200))}, not ${JSON.stringify(without.out.slice(0, 200))}`;
        }
      }
      return undefined;
    },
  },
];
