import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StepsContext } from "./versions-report.ts";
import type { Folders, VersionsWorld } from "./versions-world.ts";

/** A file that has one name in the original and one in the copy. */
interface Linked {
  readonly source: string;
  readonly target: string;
  readonly inode: bigint;
  readonly bytes: Buffer;
}

/**
 * `cp -al` of all folders of notes. Writes in the original and in the copy must replace names, and never reach the
 * other side through them.
 */
export async function copyByLinks({ world, random, report, gate }: StepsContext): Promise<void> {
  const copy = join(world.base, "copy");
  const folders: Folders = { project: join(copy, "project"), bank: join(copy, "bank") };
  const linked = await gate.alone(() => {
    report.savedInPlace.clear();
    mkdirSync(folders.project, { recursive: true });
    return [
      ...linkTree(join(world.project, ".serena"), join(folders.project, ".serena")),
      ...linkTree(join(world.project, "memory"), join(folders.project, "memory")),
      ...linkTree(world.bank, folders.bank),
    ];
  });
  const add = (says: string) => report.broken.push({ kind: "hard-link copy", says });
  await delay(200 + random() * 500);
  await gate.alone(async () => {
    const ours = linked.filter(({ source }) => !report.savedInPlace.has(source) && !isHalfWritten(source));
    for (const { target, bytes } of ours) {
      if (!readFileSync(target).equals(bytes)) add(`“${relative(copy, target)}” changed with the original`);
    }
    const shared = ours.filter(({ source, inode }) => inodeOf(source) === inode);
    await useCopy(world, folders, add);
    for (const { source, inode, bytes } of shared) {
      // What the original has replaced meanwhile is a file of its own.
      if (inodeOf(source) !== inode || readFileSync(source).equals(bytes)) continue;
      add(`“${relative(world.base, source)}” changed with the copy`);
    }
  });
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
}

/** What git was writing when the copy was made: it goes on in both, and nobody reads it before it has its own name. */
function isHalfWritten(path: string): boolean {
  const isGits = path.includes("/.recollect/history/");
  return isGits && (basename(path).startsWith("tmp_") || path.endsWith(".lock"));
}

/** A command reads and appends in the copy. */
async function useCopy(world: VersionsWorld, folders: Folders, add: (says: string) => void): Promise<void> {
  const folder = join(folders.project, ".serena/memories");
  const note = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".md")) : undefined;
  if (note === undefined) return;
  const text = "A line for the copy.";
  for (const args of [
    ["memories", "read", note, "--json"],
    ["memories", "append", note, "--content", text, "--json"],
  ]) {
    const { exitCode, stdout } = await world.run(args, folders);
    if (exitCode !== 0) add(`${args[1]} of “${note}” in the copy ended with ${exitCode}: ${stdout}`);
  }
  if (!readFileSync(join(folder, note), "utf8").includes(text)) add(`the line is not in “${note}” of the copy`);
}

/** Gives every file below a folder a second name: documents, journals, locks, histories. */
function linkTree(from: string, to: string): Linked[] {
  if (!existsSync(from)) return [];
  const linked: Linked[] = [];
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    mkdirSync(dirname(target), { recursive: true });
    try {
      linkSync(source, target);
      linked.push({ source, target, inode: lstatSync(target, { bigint: true }).ino, bytes: readFileSync(target) });
    } catch (error) {
      // The recorder of a server works on, and takes away what it recorded.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return linked;
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
