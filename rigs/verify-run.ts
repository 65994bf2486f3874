import { cpSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { createRandom } from "./random.ts";
import { corruptions, lose, losses, saysTheSame } from "./verify-corruptions.ts";
import { copyWorld, filesOf, fillWorld, type Part, parts, type VerifyWorld, verifyWorldAt } from "./verify-world.ts";

export interface VerifyRunReport {
  readonly detected: number;
  readonly undetected: readonly string[];
  /** Hits of bytes that nobody reads. */
  readonly unused: number;
  readonly byPart: Readonly<Record<string, number>>;
}

/**
 * What must at least be said of each part. Of the last records that nothing follows yet, a cut leaves nothing but
 * documents that nobody recorded.
 */
const levels: Readonly<Record<Part, readonly string[]>> = {
  history: ["damaged"],
  journal: ["damaged", "changed outside"],
  // One that is cut off or gone is made again, not repaired: it cannot be checked.
  "search index": ["damaged", "unchecked"],
  archive: ["changed outside"],
  index: ["changed outside"],
  document: ["changed outside"],
};

export interface PreparedWorld {
  readonly base: string;
  readonly world: VerifyWorld;
  /** A copy of it from before its last changes. */
  readonly older: VerifyWorld;
}

/** A world without a fault, for any number of runs. */
export async function prepareWorld(base: string): Promise<PreparedWorld> {
  const world = verifyWorldAt(join(base, "world"));
  await fillWorld(world);
  const older = copyWorld(world, join(base, "older"));
  await goOn(world);
  await expectClean(world);
  return { base, world, older };
}

/** Corrupts one file at a time, one part after the other, and asks verify. */
export async function runCorruptions(options: {
  readonly prepared: PreparedWorld;
  readonly count: number;
  readonly seed: number;
  readonly onDone?: (done: number) => void;
  /** Another verify, which the run must find out to be blind. */
  readonly levelsFound?: typeof levelsFound;
}): Promise<VerifyRunReport> {
  const { count } = options;
  const { base, world, older } = options.prepared;
  const random = createRandom(options.seed);
  const [undetected, byPart]: [string[], Record<string, number>] = [[], {}];
  let [detected, unused] = [0, 0];
  while (detected + undetected.length < count) {
    // In its place, since an index belongs to the path of its folder; afterwards it is put back.
    const part = parts[(detected + undetected.length) % parts.length] ?? "history";
    const target = chooseTarget(world, part, random);
    const spare = join(base, "spare");
    cpSync(target.saved, spare, { recursive: true, preserveTimestamps: true });
    try {
      const says = target.corrupt(older, random);
      if (says === undefined) continue;
      const found = await (options.levelsFound ?? levelsFound)(world, target.part);
      if (levels[target.part].some((level) => found.includes(level))) {
        detected += 1;
        byPart[target.part] = (byPart[target.part] ?? 0) + 1;
      } else if (saysTheSame(target.path, spare)) unused += 1;
      else
        undetected.push(`${target.part}: ${relative(base, target.path)}: ${says} (${found.join(", ") || "nothing"})`);
    } finally {
      rmSync(target.saved, { recursive: true, force: true });
      renameSync(spare, target.saved);
    }
    options.onDone?.(detected + undetected.length);
  }
  await expectClean(world);
  return { detected, undetected, unused, byPart };
}

/** Something more of everything, so that the older copies differ. */
async function goOn(world: VerifyWorld): Promise<void> {
  const workspace = await world.open();
  try {
    await workspace.history.catchUp();
    await workspace.memories.write("note-1", "the last one that is in history\n");
    await workspace.history.catchUp();
    for (const text of ["waiting", "still waiting"]) await workspace.memories.write("note-2", `${text}\n`);
    await workspace.search.status();
  } finally {
    await workspace.close();
  }
}

/** A gate that cries wolf is worth nothing. */
async function expectClean(world: VerifyWorld): Promise<void> {
  const workspace = await world.open();
  try {
    const { result, findings } = await workspace.verify();
    if (result !== "ok") throw new Error(`before any corruption: ${JSON.stringify(findings)}`);
  } finally {
    await workspace.close();
  }
}

interface Target {
  readonly part: Part;
  readonly path: string;
  /** What is put back afterwards. */
  readonly saved: string;
  readonly corrupt: (older: VerifyWorld, random: () => number) => string | undefined;
}

function chooseTarget(world: VerifyWorld, part: Part, random: () => number): Target {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const file = pick(filesOf(world).filter((one) => one.part === part));
  if (random() >= 0.05) {
    const change = pick(Object.values(corruptions));
    return { ...file, saved: file.path, corrupt: () => change(file.path, random) };
  }
  const kind = pick(losses);
  const corrupt: Target["corrupt"] = (older) => lose(kind, world, older, file);
  if (kind === "older copy") return { ...file, saved: file.path, corrupt };
  const saved = join(world.folder, "project/.serena/memories/.recollect");
  return { part: kind === "history deleted" ? "history" : "journal", path: saved, saved, corrupt };
}

async function levelsFound(world: VerifyWorld, part: Part): Promise<string[]> {
  const workspace = await world.open();
  try {
    const { findings } = await workspace.verify({ searchIndex: part === "search index" });
    return [...new Set(findings.map(({ level }) => level))];
  } finally {
    await workspace.close();
  }
}
