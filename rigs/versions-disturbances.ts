import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { copyByLinks } from "./versions-copies.ts";
import { count, type StepsContext, type StepsReport } from "./versions-report.ts";
import type { VersionsWorld } from "./versions-world.ts";

export type Disturbance = readonly [kind: string, act: () => Promise<void> | void];

/** All that can happen to the folders of a world besides writes and edits. */
export function createDisturbances(context: StepsContext): readonly Disturbance[] {
  const { surrounding } = context.world;
  if (surrounding === "notes in git") return [...killings(context), ...gitStates(context)];
  return [...killings(context), ...deletions(context), ["hard-link copy", () => copyByLinks(context)]];
}

function killings({ world, report }: StepsContext): Disturbance[] {
  const kill = async () => {
    const begun = Date.now();
    await world.servers.end("SIGKILL");
    await world.servers.start();
    report.kills.push({ begun, ended: Date.now() });
  };
  return [["kill", kill]];
}

function deletions({ world, report }: StepsContext): Disturbance[] {
  function remove(paths: readonly string[], act: () => void): void {
    const begun = Date.now();
    try {
      act();
    } catch {
      // A writer made a file in a folder that was just being emptied: a part of it is gone all the same.
    }
    const ended = Date.now();
    for (const path of paths) report.deletions.push({ path, begun, ended });
  }
  const removing =
    (...paths: string[]) =>
    () =>
      remove(paths, () => {
        for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      });
  const [memories, topics, bank] = [world.folderOf("memories"), world.folderOf("topics"), world.folderOf("bank")];
  const metadata = (folder: string) => join(folder, ".recollect");
  const all: Disturbance[] = [
    ["deleted .serena", removing(join(world.project, ".serena"))],
    ["deleted topics", removing(topics)],
    ["deleted bank", removing(bank)],
    ["deleted metadata of memories", removing(metadata(memories))],
    ["deleted metadata of topics", removing(metadata(topics))],
    ["deleted metadata of one topic", removing(metadata(join(topics, "rig")))],
    ["deleted metadata of the bank", removing(metadata(bank))],
  ];
  if (world.surrounding === "no git") return all;
  return [["git clean", () => remove([world.project], () => void world.git("clean", "-fdxq"))], ...all];
}

/** States in which tracked notes are not in the folder: changed outside, never damage. */
function gitStates({ world, random, report, gate }: StepsContext): Disturbance[] {
  function commit(): void {
    world.git("add", "--all", "--sparse");
    world.git("commit", "--quiet", "--allow-empty", "--message=Notes");
  }

  /** Enters a state while nobody writes, has it verified, lets writers write in it, and leaves it. */
  const during = (kind: string, enter: () => void, leave: () => void) => async () => {
    await gate.alone(async () => {
      enter();
      await expectNoDamage(kind, world, report);
    });
    await delay(random() * 300);
    await gate.alone(leave);
  };
  const sparse = (...without: string[]) =>
    during(
      `without ${without.join(" and ")}`,
      () => {
        commit();
        world.git("sparse-checkout", "set", "--no-cone", "/*", ...without.map((folder) => `!/${folder}/`));
      },
      () => {
        commit();
        world.git("sparse-checkout", "disable");
      },
    );
  const stash = during(
    "stashed",
    () => {
      // What git does not track yet goes into the stash as well.
      if (world.git("ls-files", ".serena", "memory") === "") commit();
      world.git("stash", "push", "--include-untracked", "--quiet");
    },
    () => {
      // There was nothing that git could put aside.
      if (world.git("stash", "list") === "") return;
      try {
        world.git("stash", "pop", "--quiet");
      } catch {
        // A writer was quicker, and git keeps the stash.
        count(report, "stash kept by git");
        world.git("checkout", "--quiet", "--force", "HEAD");
        world.git("stash", "drop", "--quiet");
      }
    },
  );
  const otherBranch = (from: string) =>
    during(
      `on a branch from ${from}`,
      () => {
        commit();
        world.git("checkout", "--quiet", "-B", "other", from);
      },
      () => {
        commit();
        world.git("checkout", "--quiet", "main");
      },
    );
  return [
    ["commit", () => gate.alone(commit)],
    ["other branch", otherBranch("main")],
    ["branch without notes", otherBranch("begin")],
    ["stash", stash],
    ["sparse checkout without topics", sparse("memory")],
    ["sparse checkout without notes", sparse(".serena", "memory")],
  ];
}

export async function expectNoDamage(state: string, world: VersionsWorld, report: StepsReport): Promise<void> {
  const { exitCode, findings } = await world.verify("--no-search-index");
  count(report, `verify ended with ${exitCode}`);
  if (exitCode === 0 || exitCode === 7) return;
  const says = findings.map((finding) => `${finding.level}: ${finding.says}`).join(" / ");
  report.broken.push({ kind: "called damage", says: `${state}: exit code ${exitCode}: ${says}` });
}
