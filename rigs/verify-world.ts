import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { openFilesStore } from "../src/backends/files/store.ts";
import { parseDocumentPath } from "../src/kernel/document-path.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";

/** A user's home and project, with memories, topics, their archive, history, and a search index. */
export interface VerifyWorld {
  readonly folder: string;
  open(): Promise<Workspace>;
}

export function verifyWorldAt(folder: string): VerifyWorld {
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  const env = { PATH: process.env["PATH"], HOME: home, XDG_CACHE_HOME: join(folder, "cache") };
  return {
    folder,
    open: () => openWorkspace({ cwd: project, project, home, env, author: "agent:ada", log: () => {} }),
  };
}

const memories = "project/.serena/memories";

/** Fills one with everything that can be corrupted: recorded and waiting, packed, archived, indexed, in several segments. */
export async function fillWorld(world: VerifyWorld): Promise<void> {
  for (const name of ["home", "project/.git"]) mkdirSync(join(world.folder, name), { recursive: true });
  const workspace = await world.open();
  const history = workspace.history;
  try {
    for (let index = 0; index < 20; index += 1) {
      await workspace.memories.write(`note-${index % 4}`, `# Note\n\nThe ${index}th text of this note.\n`);
      await workspace.memories.write(`deep/er/note-${index % 3}`, `Deep text ${index}.\n`);
      await workspace.topics.store({ topic: "build", subtopic: "cache", ...entry(index) });
      await history.catchUp();
    }
    await workspace.memories.delete("note-3");
    await history.catchUp();
    await history.maintain();
    await writeLongRecords(join(world.folder, memories));
    await history.catchUp();
    await writeLongRecords(join(world.folder, memories));
    for (const text of ["later", "later still"]) await workspace.memories.write("deep/er/note-1", `${text}\n`);
    await workspace.topics.store({ topic: "build", subtopic: "cache", ...entry(21) });
    await workspace.search.status();
  } finally {
    await workspace.close();
  }
}

function entry(index: number) {
  const date = `202${4 + (index % 3)}-01-${String((index % 28) + 1).padStart(2, "0")}`;
  const text = `what was learned the ${index}th time, at some length so that the file is pruned`;
  return {
    date,
    title: `Entry ${index}`,
    context: text,
    problem: text,
    solution: `${text} ${"and so on ".repeat(20)}`,
  };
}

/** Records that are so long that they take more than one segment. */
async function writeLongRecords(folder: string): Promise<void> {
  const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
  const at = { root: "notes", path: parseDocumentPath("long.md") };
  try {
    for (let index = 0; index < 5; index += 1) {
      const content = `long ${index} ${Math.random()}\n`;
      await store.commit([at].map(store.resolve), () => [{ kind: "put", at, content }], {
        author: "agent:bob",
        reason: "r".repeat(300_000),
      });
    }
  } finally {
    await store.close();
  }
}

export function copyWorld({ folder }: VerifyWorld, to: string): VerifyWorld {
  cpSync(folder, to, { recursive: true, preserveTimestamps: true });
  return verifyWorldAt(to);
}

export const parts = ["history", "journal", "archive", "index", "document", "search index"] as const;
export type Part = (typeof parts)[number];

/** Every file that verify answers for, by what it is part of. */
export function filesOf({ folder }: VerifyWorld): { readonly part: Part; readonly path: string }[] {
  return listFiles(folder).flatMap((path) => {
    const part = partOf(relative(folder, path));
    return part === undefined ? [] : [{ part, path }];
  });
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
}

function partOf(path: string): Part | undefined {
  // When work was last done, and locks: nothing of what anybody wrote is in them.
  if (/\/recollect-(packed|graph)$|\/(lock|entrance|history-lock)_+$|\/turns$|\/\.gitignore$/.test(path))
    return undefined;
  if (/\/\.recollect\/history(\/|-tip$)/.test(path)) return "history";
  if (/\/\.recollect\//.test(path)) return "journal";
  if (path.startsWith("project/memory/archive/")) return "archive";
  if (path === "project/memory/index.md") return "index";
  if (path.startsWith("cache/") && path.includes("/search/") && !path.endsWith("vectors.sqlite")) return "search index";
  return path.endsWith(".md") ? "document" : undefined;
}
