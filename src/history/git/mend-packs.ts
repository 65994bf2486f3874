import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Log } from "../../kernel/log.ts";
import type { Repository } from "./repository.ts";
import type { Git, RunOptions } from "./run-git.ts";

const timeoutMs = 30 * 60_000;
/** Packs that git cannot read. */
export const damagedFolder = "recollect-damaged";

interface HalvedPack {
  readonly name: string;
  readonly lost: "idx" | "pack";
}

/** Packs of which one half is gone: without its index nothing in a pack is found, without the pack nothing is there. */
export function halvedPacks({ folder }: Repository): HalvedPack[] {
  const packs = join(folder, "objects/pack");
  const names = new Set(readdirSync(packs));
  const bases = new Set([...names].flatMap((name) => /^(pack-[0-9a-f]{40})\.(?:pack|idx|rev)$/.exec(name)?.[1] ?? []));
  return [...bases].flatMap((name): HalvedPack[] => {
    const [pack, index] = [`${name}.pack`, `${name}.idx`];
    if (!names.has(pack)) return names.has(index) ? [{ name, lost: "pack" }] : [];
    return names.has(index) && isIndexOf(join(packs, index), join(packs, pack)) ? [] : [{ name, lost: "idx" }];
  });
}

const idBytes = 20;
/** What an index begins with, version 2. */
const indexHead = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);

/**
 * Whether an index begins as one does and ends with what its pack ends with: one that was cut off, emptied, replaced or
 * linked to elsewhere does not. Costs a few bytes of each; all of it is read where objects are missing (`remakeIndexes`).
 */
function isIndexOf(index: string, pack: string): boolean {
  const [found, other] = [index, pack].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (!found?.isFile() || !other?.isFile()) return false;
  const head = readPart(index, 0, indexHead.length);
  const [ofPack, end] = [readPart(index, -2 * idBytes, idBytes), readPart(pack, -idBytes, idBytes)];
  return head.equals(indexHead) && ofPack.length === idBytes && ofPack.equals(end);
}

/** From the end where `from` is negative. */
function readPart(path: string, from: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    const part = Buffer.alloc(length);
    const at = from < 0 ? Math.max(0, fstatSync(file).size + from) : from;
    return part.subarray(0, readSync(file, part, 0, length, at));
  } finally {
    closeSync(file);
  }
}

/** There while git replaces packs: it takes the old ones away file by file, and whoever kills it leaves halves. */
const repackingFile = "recollect-repacking";

/** `git repack`, after which no half of a pack is left, wherever one before it was killed. */
export async function repack(
  repository: Repository,
  git: Git,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  writeFileSync(join(repository.folder, repackingFile), "");
  await git.run(["repack", ...args], options);
  removeHalves(repository);
  rmSync(join(repository.folder, repackingFile), { force: true });
}

/** Halves that do not tell of damage: a repack that replaces them was killed, or is under way. */
export function isRepacking({ folder }: Repository): boolean {
  return existsSync(join(folder, repackingFile));
}

/** An index comes into its place after its pack: one without a pack belongs to none that is being made. */
function removeHalves(repository: Repository): void {
  const halves = new Set(halvedPacks(repository).flatMap(({ name, lost }) => (lost === "pack" ? [name] : [])));
  const folder = join(repository.folder, "objects/pack");
  for (const name of readdirSync(folder)) {
    if (halves.has(name.slice(0, name.lastIndexOf(".")))) rmSync(join(folder, name), { force: true });
  }
}

/** An index that is gone or is none of its pack's is made of its pack again. With the recorder's lock held. */
export async function mendPacks(repository: Repository, git: Git, log: Log): Promise<void> {
  for (const { name, lost } of halvedPacks(repository)) {
    if (lost !== "idx") continue;
    const isMade = await remakeIndex(name, repository, git);
    const end = isMade ? "was made again" : "cannot be made again; see: recollect verify";
    log("warning", "history", { message: `The index of a pack of history was gone or damaged, and ${end}.` });
  }
  // Only speed depends on it, and git reads what is there before it looks whether that is one.
  if (isGraphLost(repository)) dropGraphs(repository);
}

function isGraphLost({ folder }: Repository): boolean {
  const [graph, chains, mark] = graphs.map((name) => join(folder, name)) as [string, string, string];
  if (existsSync(graph)) return !(lstatSync(graph).isFile() && readPart(graph, 0, 4).equals(graphHead));
  return existsSync(mark) && !existsSync(chains);
}

const graphs = ["objects/info/commit-graph", "objects/info/commit-graphs", "recollect-graph"] as const;
const graphHead = Buffer.from("CGPH");

function dropGraphs({ folder }: Repository): void {
  for (const name of graphs) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Where objects are missing: everything that git derives from packs is made anew, and a pack that git itself cannot read
 * is put aside, with all its bytes. With the recorder's lock held.
 */
export async function remakeDerived(repository: Repository, git: Git): Promise<void> {
  const { folder } = repository;
  dropGraphs(repository);
  rmSync(join(folder, "objects/pack/multi-pack-index"), { recursive: true, force: true });
  const packs = readdirSync(join(folder, "objects/pack")).filter((name) => /^pack-[0-9a-f]{40}\.pack$/.test(name));
  for (const pack of packs) {
    const name = pack.slice(0, -".pack".length);
    if (!(await remakeIndex(name, repository, git))) putAside(name, repository);
  }
  for (const { name, lost } of halvedPacks(repository)) if (lost === "pack") putAside(name, repository);
}

async function remakeIndex(name: string, { folder }: Repository, git: Git): Promise<boolean> {
  const at = (ending: string) => join(folder, "objects/pack", `${name}.${ending}`);
  const draft = `objects/pack/tmp_${name}.idx`;
  rmSync(join(folder, draft), { force: true });
  const { code } = await git.attempt(["index-pack", "-o", draft, `objects/pack/${name}.pack`], { timeoutMs });
  if (code !== 0) return false;
  for (const ending of ["rev", "bitmap", "mtimes"]) rmSync(at(ending), { force: true });
  if (lstatSync(at("idx"), { throwIfNoEntry: false })?.isDirectory()) rmSync(at("idx"), { recursive: true });
  renameSync(join(folder, draft), at("idx"));
  rmSync(join(folder, draft.replace(/idx$/, "rev")), { force: true });
  return true;
}

function putAside(name: string, { folder }: Repository): void {
  const aside = join(folder, damagedFolder);
  mkdirSync(aside, { recursive: true });
  for (const file of readdirSync(join(folder, "objects/pack"))) {
    if (file.startsWith(`${name}.`)) renameSync(join(folder, "objects/pack", file), join(aside, file));
  }
}
