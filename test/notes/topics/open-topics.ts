import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import type { ContentGuard } from "../../../src/kernel/content-guard.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import type { Store } from "../../../src/kernel/store.ts";
import { originOf } from "../../../src/notes/topics/topic-archive.ts";
import { parseTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { createTopics } from "../../../src/notes/topics/topics.ts";
import { type DocumentStores, inRoot, type OpenedStore } from "../../helpers/document-stores.ts";

/** A folder of its own, gone with the test. */
export function scratch(parent = tmpdir()): string {
  const base = realpathSync(mkdtempSync(join(parent, "recollect-topics-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

/** A kill loses nothing that a system call wrote, so these tests need no disk, whose syncs are most of their time. */
export function memoryFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

/** Topics on real files, with a clock that the test sets. */
export function openTopics(folder = scratch()) {
  const store = openFilesStore({ roots: [{ name: root, folder }], now: Date.now });
  onTestFinished(() => store.close());
  return { folder, store, ...createOver(store), ...onDisk(folder) };
}

/** The same in any store. */
export function topicsIn(stores: DocumentStores) {
  return async (options: TopicsOptions = {}) => {
    const opened = await stores.open([{ name: root }]);
    return {
      ...opened,
      ...createOver(opened.store, options),
      ...topicsOf(opened, root),
      /** As another process has them. */
      otherTopics: () => createOver(opened.another(), options).topics,
    };
  };
}

interface TopicsOptions {
  readonly documentBytes?: number;
  readonly guard?: () => Promise<ContentGuard>;
}

const root = "memory";

function createOver(store: Store, { documentBytes, guard }: TopicsOptions = {}) {
  const documents = createDocuments({
    roots: [{ name: root, policy: fullAccess, store }],
    ...(documentBytes === undefined ? {} : { limits: { documentBytes } }),
    guard,
  });
  const clock = { today: "2026-11-15" };
  const accessed: (readonly string[])[] = [];
  const topics = createTopics({
    documents,
    root,
    stamp: { author: "agent:tester" },
    today: () => clock.today,
    accessed: (paths) => accessed.push(paths),
  });
  return { topics, documents, clock, accessed };
}

/** A root of topics, behind their back. */
export function topicsOf(opened: Pick<OpenedStore, "contents">, name: string) {
  const inside = inRoot(opened, name);
  return {
    ...inside,
    titles: async (path: string) => parseTopicFile(await inside.text(path)).entries.map(({ title }) => title),
    archives: async (topic = "auth") => {
      const folder = `archive/${topic}/`;
      const below = (await inside.paths()).filter((path) => path.startsWith(folder));
      const names = new Set(below.map((path) => path.slice(folder.length).split("/", 1).join()));
      return [...names].filter((name) => name.endsWith(".md")).sort();
    },
  };
}

/** An entry as we write it, of about so many bytes. */
export function entryText(title: string, date = "2026-11-01", bytes = 0): string {
  const text = (filling: string) => `## ${date}: ${title}\n**Context:** c\n**Solution:** s${filling}\n\n---\n\n`;
  return text("x".repeat(Math.max(0, bytes - Buffer.byteLength(text("")))));
}

/** The files as a person sees them. */
export function onDisk(folder: string) {
  const text = (path: string) => readFileSync(join(folder, path), "utf8");
  const titles = (path: string) => parseTopicFile(text(path)).entries.map(({ title }) => title);
  return {
    put: (path: string, content: string | Uint8Array) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
    text,
    titles,
    has: (path: string) => existsSync(join(folder, path)),
    archives: (topic = "auth") => {
      const path = join(folder, "archive", topic);
      return existsSync(path)
        ? readdirSync(path)
            .filter((name) => name.endsWith(".md"))
            .sort()
        : [];
    },
  };
}

/** Everything that a topic and its archive hold, as “subtopic year title”; archived ones in the file of their year. */
export function allEntries(folder: string, topic = "auth"): string[] {
  const disk = onDisk(folder);
  const own = readdirSync(join(folder, topic)).map((name) => `${topic}/${name}`);
  const paths = [...own, ...disk.archives(topic).map((name) => `archive/${topic}/${name}`)];
  return entriesIn(
    Object.fromEntries(paths.filter((path) => path.endsWith(".md")).map((path) => [path, disk.text(path)])),
    topic,
  );
}

/** The same of documents by their paths. */
export function entriesIn(documents: Readonly<Record<string, string>>, topic = "auth"): string[] {
  const all = Object.entries(documents).flatMap(([path, text]) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const { entries } = parseTopicFile(text);
    if (path === `${topic}/${name}`) {
      return entries.map(({ date, title }) => `${name.slice(0, -3)} ${date.slice(0, 4)} ${title}`);
    }
    if (path !== `archive/${topic}/${name}`) return [];
    return entries.map((entry) => `${originOf(entry)} ${name.slice(0, 4)} ${entry.title}`);
  });
  return all.toSorted();
}
