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
import { createDocuments } from "../../src/core/documents.ts";
import { fullAccess } from "../../src/core/root-policy.ts";
import { openFilesStore } from "../../src/stores/files/files-store.ts";
import { originOf } from "../../src/topics/archive-file.ts";
import { parseTopicFile } from "../../src/topics/topic-file.ts";
import { createTopics } from "../../src/topics/topics.ts";

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
  const store = openFilesStore({ roots: [{ name: "memory", folder }], now: Date.now });
  onTestFinished(() => store.close());
  const documents = createDocuments({ roots: [{ name: "memory", policy: fullAccess, store }] });
  const clock = { today: "2026-11-15" };
  const accessed: (readonly string[])[] = [];
  const topics = createTopics({
    documents,
    root: "memory",
    stamp: { author: "agent:tester" },
    today: () => clock.today,
    accessed: (paths) => accessed.push(paths),
  });
  return { folder, topics, documents, store, clock, accessed, ...onDisk(folder) };
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
  const own = readdirSync(join(folder, topic))
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) =>
      parseTopicFile(disk.text(`${topic}/${name}`)).entries.map(
        ({ date, title }) => `${name.slice(0, -3)} ${date.slice(0, 4)} ${title}`,
      ),
    );
  const archived = disk
    .archives(topic)
    .flatMap((name) =>
      parseTopicFile(disk.text(`archive/${topic}/${name}`)).entries.map(
        (entry) => `${originOf(entry)} ${name.slice(0, 4)} ${entry.title}`,
      ),
    );
  return [...own, ...archived].toSorted();
}
