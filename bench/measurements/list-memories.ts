import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { loadLibrary } from "../library.ts";
import type { Measurement, Row } from "../measurement.ts";
import { sampleText } from "../sample-text.ts";
import type { Summary } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const { createDocuments, createMemories, fullAccess, openFilesStore } = await loadLibrary();

const rounds = { warmUp: 10, measured: 60 };
const count = 10_000;
const folders = ["memories", "shared", "team"] as const;

/** The first page of the list, and what a start asks for, against the least that any listing needs. */
export const listMemories: Measurement = {
  name: "list-memories",
  run: () =>
    withWorkFolder(async (base) => {
      for (let index = 0; index < count; index += 1) writeNote(base, index);
      const { memories, close } = openMemories(base);
      const times = await interleave(
        {
          list: () => memories.list(),
          overview: () => memories.overview(),
          recursive: () => folders.map((folder) => readdirSync(join(base, folder), { recursive: true })),
          typed: () =>
            folders.map((folder) => readdirSync(join(base, folder), { recursive: true, withFileTypes: true })),
          walk: () => folders.map((folder) => walk(join(base, folder))),
        },
        rounds,
      );
      await close();
      // The quicker of the two ways that Node has itself.
      const recursive = times.recursive.median < times.typed.median ? times.recursive : times.typed;
      const row = (measurement: string, { median, p90 }: Summary, name: string, floor: Summary): Row => ({
        measurement,
        unit: "ms",
        ours: median,
        p90,
        reference: { name, value: floor.median, p90: floor.p90 },
      });
      const page = "first page of 10,000 memories in three folders";
      return [
        { ...row(page, times.list, "recursive readdir", recursive), limit: 3, details: times },
        row(page, times.list, "readdir of each folder", times.walk),
        row("overview of them, as a start asks for it", times.overview, "recursive readdir", recursive),
      ];
    }),
};

/** The least of all: what Node's own recursive way does besides costs more than the reading. */
function walk(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.reduce((sum, one) => sum + (one.isDirectory() ? walk(join(folder, one.name)) : 1), 0);
}

/** Half of them flat, half in twenty topics. */
function writeNote(base: string, index: number): void {
  const folder = join(base, folders[index % folders.length] ?? "", index % 2 === 0 ? "" : `topic-${index % 40}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `note-${index}.md`), `# Note ${index}\n\n${sampleText("list")}`);
}

function openMemories(base: string) {
  const store = openFilesStore({ roots: folders.map((name) => ({ name, folder: join(base, name) })), now: Date.now });
  const documents = createDocuments({
    roots: folders.map((name) => ({ name, policy: fullAccess, store })),
    // As a workspace has it.
    limits: { pageEntries: 100_000 },
  });
  const memories = createMemories({
    documents,
    folders: folders.map((root, index) => ({
      root,
      kind: index === 0 ? "primary" : "additional",
      baseName: root,
      readOnly: false,
    })),
    regex: { edit: () => Promise.reject(new Error("a list edits nothing")) },
    stamp: { author: "bench" },
  });
  return { memories, close: () => store.close() };
}
