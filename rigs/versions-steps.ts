import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "./random.ts";
import { type Acknowledged, type Place, places, type VersionsWorld } from "./versions-world.ts";

/** A folder that was deleted with all that it held, and when. */
export interface Deletion {
  readonly place: Place;
  readonly begun: number;
  readonly ended: number;
}

export interface StepsReport {
  readonly acknowledged: Acknowledged[];
  readonly deletions: Deletion[];
  /** When servers were killed: what they had not recorded waits for the next one. */
  readonly kills: { readonly begun: number; readonly ended: number }[];
  /** How often each kind of step was done. */
  readonly counts: Map<string, number>;
  /** What a hard-link copy said that changed although only the original was written. */
  readonly changedCopies: string[];
}

export interface StepsOptions {
  readonly world: VersionsWorld;
  readonly random: Random;
  readonly steps: number;
  /** True where the project's repository tracks the notes and topics. */
  readonly isTracked: boolean;
  readonly report: StepsReport;
}

export function createStepsReport(): StepsReport {
  return { acknowledged: [], deletions: [], kills: [], counts: new Map(), changedCopies: [] };
}

const writers = 3;
const names = ["a", "b", "c", "d"];
let texts = 0;

/** Several writers at once on all surfaces, beside editors, deletions, copies and kills, in random order. */
export async function takeSteps(options: StepsOptions): Promise<void> {
  const { world, random, isTracked, report } = options;
  let left = options.steps;
  let isDisturbed = false;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const count = (kind: string) => report.counts.set(kind, (report.counts.get(kind) ?? 0) + 1);

  const disturbances: readonly (readonly [string, () => Promise<void> | void])[] = isTracked
    ? [
        ["kill", kill],
        ["commit", commit],
        ["branch switch", switchBranch],
        ["stash", stash],
        ["sparse checkout", sparse],
      ]
    : [
        ["kill", kill],
        ["git clean", () => remove(["memories", "topics"], () => void world.git("clean", "-fdxq"))],
        ["deleted notes", () => removeFolder("memories", ".serena")],
        ["deleted metadata", deleteMetadata],
        ["hard-link copy", copyByLinks],
      ];

  async function write(): Promise<void> {
    const place = pick(places);
    const name = pick(names);
    const surface = random() < 0.1 ? "cli" : pick(["mcp", "http"] as const);
    texts += 1;
    const text = `Version ${texts} by ${surface}, ${Math.floor(random() * 2 ** 32)}.\n`;
    const sent = Date.now();
    const answer = await world.surfaces[surface]({ place, name, text });
    if (answer) {
      report.acknowledged.push({ place, rev: answer.rev, text: text.trim(), sent, answered: Date.now() });
      count(`written by ${surface}`);
      if (random() < 0.3) await edit(place, name);
    } else count(`refused by ${surface} in ${place}`);
  }

  /** As an editor saves: at once or a little later, by rename or in place. */
  async function edit(place: Place, name: string): Promise<void> {
    if (random() < 0.5) await delay(random() * 400);
    const file = fileOf(world, place, name);
    if (!existsSync(file)) return;
    const isInPlace = random() < 0.5;
    texts += 1;
    try {
      const text = `${readFileSync(file, "utf8")}\nA person's line ${texts}.\n`;
      if (isInPlace) writeFileSync(file, text);
      else {
        writeFileSync(`${file}~`, text);
        renameSync(`${file}~`, file);
      }
      count(isInPlace ? "edited in place" : "edited by rename");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  async function kill(): Promise<void> {
    const begun = Date.now();
    await world.killServers();
    report.kills.push({ begun, ended: Date.now() });
  }

  function remove(gone: readonly Place[], act: () => void): void {
    const begun = Date.now();
    try {
      act();
    } catch {
      // A writer made a file in a folder that was just being emptied: a part of it is gone all the same.
    }
    const ended = Date.now();
    for (const place of gone) report.deletions.push({ place, begun, ended });
  }

  function removeFolder(place: Place, folder: string): void {
    remove([place], () => rmSync(join(world.project, folder), { recursive: true, force: true, maxRetries: 3 }));
  }

  function deleteMetadata(): void {
    const place = pick(places);
    remove([place], () =>
      rmSync(join(rootOf(world, place), ".recollect"), { recursive: true, force: true, maxRetries: 3 }),
    );
  }

  /** `cp -al`, writes in the original, then the copy must be as it was. */
  async function copyByLinks(): Promise<void> {
    const copy = `${world.project}-copy`;
    rmSync(copy, { recursive: true, force: true });
    const before = linkTree(join(world.project, ".serena"), copy);
    await delay(200 + random() * 500);
    for (const [path, bytes] of before) {
      const now = existsSync(path) ? readFileSync(path) : undefined;
      if (now?.equals(bytes)) continue;
      // An editor that saves in place writes into every name of the file: only our own files must not change.
      if (path.endsWith(".md")) continue;
      report.changedCopies.push(relative(copy, path));
    }
    rmSync(copy, { recursive: true, force: true });
  }

  function commit(): void {
    world.git("add", "--all");
    world.git("commit", "--quiet", "--allow-empty", "--message=Notes");
  }

  function switchBranch(): void {
    commit();
    world.git("checkout", "--quiet", ...(random() < 0.5 ? ["main"] : ["-B", "other"]));
  }

  async function stash(): Promise<void> {
    world.git("stash", "push", "--include-untracked", "--quiet");
    await delay(random() * 300);
    try {
      world.git("stash", "pop", "--quiet");
    } catch {
      // Writers were quicker, and git keeps the stash: as for a person.
      world.git("stash", "drop", "--quiet");
    }
  }

  async function sparse(): Promise<void> {
    commit();
    world.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/");
    await delay(random() * 300);
    world.git("sparse-checkout", "disable");
  }

  async function disturb(): Promise<void> {
    const [kind, act] = pick(disturbances);
    isDisturbed = true;
    try {
      await act();
      count(kind);
    } catch {
      count(`${kind}, refused by git`);
    } finally {
      isDisturbed = false;
    }
  }

  const work = async () => {
    while (left > 0) {
      left -= 1;
      if (!isDisturbed && random() < 0.02) await disturb();
      else await write();
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
}

function rootOf({ project, bank }: VersionsWorld, place: Place): string {
  if (place === "bank") return join(bank, "project");
  return join(project, place === "memories" ? ".serena/memories" : "memory");
}

function fileOf(world: VersionsWorld, place: Place, name: string): string {
  return join(rootOf(world, place), place === "topics" ? "rig" : ".", `${name}.md`);
}

/** Gives every file below a folder a second name, and says what each held. */
function linkTree(from: string, to: string): Map<string, Buffer> {
  const held = new Map<string, Buffer>();
  if (!existsSync(from)) return held;
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || /^(history-)?lock_|^entrance_/.test(entry.name)) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    mkdirSync(dirname(target), { recursive: true });
    try {
      linkSync(source, target);
      held.set(target, readFileSync(target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return held;
}
