import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ExistingPath } from "../../src/app.ts";
import { type FilesStoreOptions, openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";
import type { MirrorOptions } from "../../src/history/git/mirror.ts";
import { createHistory } from "../../src/history/history.ts";
import { createDocuments } from "../../src/kernel/documents.ts";
import { type Log, noLog } from "../../src/kernel/log.ts";
import type { MountedRoot } from "../../src/kernel/mounted-roots.ts";
import type { CatchUp, Operation, RootHistory } from "../../src/kernel/root-history.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";
import type { Trail } from "../../src/kernel/trail.ts";
import { at } from "../backends/files/scratch.ts";
import { type DocumentStores, inRoot } from "../helpers/document-stores.ts";

export { at };

export const ada = { author: "agent:ada" };
export const bob = { author: "person:bob" };

export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "recollect-history-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A root named “notes” with its history, as one process has it. */
export function openWorld(
  folder: string,
  options: {
    store?: Partial<FilesStoreOptions>;
    mounted?: Partial<MountedRoot>;
    root?: string;
    now?: () => number;
    env?: Record<string, string | undefined>;
    log?: Log;
    importLimit?: number;
    /** What history follows instead of the root itself. */
    trail?: (trail: Trail) => Trail;
    recordElsewhere?: (waitMs: number) => Promise<CatchUp | undefined>;
    recordLater?: () => Promise<void>;
    /** Where a second copy of history is kept. */
    mirror?: MirrorOptions;
    keepMs?: number;
  } = {},
) {
  const name = options.root ?? "notes";
  const now = options.now ?? Date.now;
  const store = openFilesStore({ now, roots: [{ name, folder }], ...options.store });
  const roots = store.roots.map((root) => ({ name: root, policy: fullAccess, store, ...options.mounted }));
  const documents = createDocuments({ roots });
  const { trail = (own) => own, importLimit, recordElsewhere, recordLater } = options;
  const history = openGitHistory({
    trail: trail(store.trail(name)),
    env: options.env ?? process.env,
    now,
    log: options.log ?? noLog,
    recordElsewhere,
    recordLater,
    mirror: options.mirror,
    keepMs: options.keepMs,
    ...(importLimit === undefined ? {} : { importLimit }),
  });
  const close = async () => {
    await history.close();
    await store.close();
  };
  onTestFinished(close);
  return { store, documents, history, close };
}

/** The same in any store, with its history as facades see it. */
export async function openHistoryIn(stores: DocumentStores, mounted: Partial<MountedRoot> = {}) {
  const opened = await stores.open([{ name: "notes" }]);
  const rootHistory = opened.history("notes");
  /** As somebody with other rights has them. */
  const withRights = (rights: Partial<MountedRoot>) => {
    const roots = [{ name: "notes", policy: fullAccess, store: opened.store, ...rights }];
    const documents = createDocuments({ roots });
    return { documents, history: createHistory({ histories: [rootHistory], documents }) };
  };
  return { ...opened, ...inRoot(opened, "notes"), ...withRights(mounted), rootHistory, withRights };
}

export async function logOf(history: RootHistory, path: string): Promise<readonly Operation[]> {
  return (await history.log({ path: path as ExistingPath, limit: 1000 })).operations;
}

/** The texts that a document had, newest first; undefined where it was gone. */
export async function textsOf(history: RootHistory, path: string): Promise<(string | undefined)[]> {
  const operations = await logOf(history, path);
  const moments = operations.map(({ id, changes }) => ({
    id,
    path: changes[0]?.path ?? (path as ExistingPath),
    side: "after" as const,
  }));
  const contents = await history.contents(moments);
  return contents.map((bytes) => bytes && Buffer.from(bytes).toString("utf8"));
}

/** Ordinary git on the repository of a root. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", [`--git-dir=${join(folder, ".recollect/history")}`, ...args], {
    encoding: "utf8",
    maxBuffer: 1024 * 1024 * 1024,
    env: { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
}

export function fsck(folder: string): string {
  return git(folder, "fsck", "--strict", "--no-progress", "--no-dangling");
}
