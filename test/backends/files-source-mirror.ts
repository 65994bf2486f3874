import { closeSync, openSync, readSync } from "node:fs";
import type { FilesSource } from "../../src/backends/files/source.ts";
import type { Effect } from "./files-source-writer.ts";

/** A copy of a root's documents, kept up to date by a source alone, as a search index would be. */
export function createMirror(source: FilesSource) {
  const documents = new Map<string, string>();
  let surveys = 0;

  async function take(at?: string): Promise<void> {
    for (const path of [...documents.keys()]) {
      if (at === undefined || path === at || path.startsWith(`${at}/`)) documents.delete(path);
    }
    for (const folder of source.survey(at)) {
      for (const { path } of folder.documents) {
        const document = await source.read(path);
        if (document) documents.set(path, document.content);
      }
    }
  }

  return {
    documents,
    surveys: () => surveys,
    /** Brings it up to date. */
    follow: async () => {
      const changes = await source.changes();
      if (!changes) {
        surveys += 1;
        await take();
      }
      for (const path of changes ?? []) await take(path);
    },
  };
}

/** What a writer has said so far, read synchronously: nothing of the event loop comes between its word and a question. */
export function openLog(file: string) {
  const descriptor = openSync(file, "a+");
  const buffer = Buffer.alloc(1 << 16);
  let rest = "";
  let position = 0;
  let done = 0;
  let hasEnded = false;
  /** Of an operation that has begun and is not done. */
  let underWay: readonly Effect[] = [];
  /** By path: what it may be found to say, the oldest first. */
  const states = new Map<string, (string | null)[]>();

  function take(line: string): void {
    const said = JSON.parse(line) as { effects?: readonly Effect[]; done?: number; end?: true };
    underWay = said.effects ?? [];
    for (const [path, ...more] of underWay) states.set(path, [...(states.get(path) ?? [null]), ...more]);
    if (said.done !== undefined) done += 1;
    if (said.end) hasEnded = true;
  }

  function read(): void {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, position);
      if (length === 0) return;
      position += length;
      const lines = (rest + buffer.toString("latin1", 0, length)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    }
  }

  return {
    /** Whoever asks from now on must not find what was there before the operations that are done. */
    settle: () => {
      read();
      const open = new Map(underWay.map(([path, ...more]) => [path, more.length]));
      for (const [path, known] of states) states.set(path, known.slice(-1 - (open.get(path) ?? 0)));
    },
    /** What the documents say that is neither what was there at the last settling nor anything since. */
    missedBy: (documents: ReadonlyMap<string, string>): string[] => {
      read();
      return [...states].flatMap(([path, known]) => {
        const found = documents.get(path) ?? null;
        return known.includes(found) ? [] : [`${path} says ${found}, not ${known.join(" or ")}`];
      });
    },
    knows: (path: string) => states.has(path),
    done: () => done,
    hasEnded: () => hasEnded,
    close: () => closeSync(descriptor),
  };
}
