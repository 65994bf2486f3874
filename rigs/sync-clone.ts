import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openFilesStore } from "../src/backends/files/store.ts";
import { createDocuments } from "../src/kernel/documents.ts";
import { fullAccess } from "../src/kernel/root-policy.ts";
import { mergeTopics } from "../src/notes/topics/merge-topics.ts";
import { tidyTopics } from "../src/notes/topics/tidy-topics.ts";
import { isTopicDocument } from "../src/notes/topics/topic-paths.ts";
import { createTopics } from "../src/notes/topics/topics.ts";
import { makeRepository } from "../src/sync/make-repository.ts";
import { createSync, type SyncOptions } from "../src/sync/sync.ts";

const today = "2026-11-15";
const stamp = { author: "agent:ada" };

/** Git as a user has it, with nothing of the machine's own settings. */
export const gitEnv = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
} as const;

export type CloneOptions = Partial<SyncOptions>;

/** One memory in a repository, as one process has it. */
export function openClone(folder: string, remote: string | undefined, more: CloneOptions = {}) {
  makeRepository(folder, remote);
  const root = "memory";
  const store = openFilesStore({ now: Date.now, roots: [{ name: root, folder }] });
  const documents = createDocuments({ roots: [{ name: root, policy: fullAccess, store }] });
  const anything = createDocuments({ roots: [{ name: root, policy: fullAccess, store, naming: "any" }] });
  const topics = createTopics({ documents, root, stamp, today: () => today });
  let merges = 0;
  const sync = createSync({
    folder,
    trail: store.trail(root),
    documents: anything,
    isOurs: isTopicDocument,
    isDerived: (path) => path === "index.md",
    merge: (base, ours, theirs) => {
      if (base !== ours) merges += 1;
      return mergeTopics(base, ours, theirs);
    },
    tidy: (toPrune) => tidyTopics(topics, toPrune),
    env: gitEnv,
    now: Date.now,
    isClone: true,
    ...more,
  });
  const at = (path: string) => join(folder, path);
  return {
    folder,
    topics,
    sync,
    merges: () => merges,
    close: () => store.close(),
    read: (path: string) => readFileSync(at(path), "utf8"),
    write: (path: string, text: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    entry: (topic: string, title: string) =>
      topics.store({ topic, subtopic: "notes", title, context: "c", problem: "p", solution: "s" }),
  };
}

export type Clone = ReturnType<typeof openClone>;

/** Every file of the memory, hidden ones left out. */
export function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.split("/").some((name) => name.startsWith(".")));
  return Object.fromEntries(files.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
