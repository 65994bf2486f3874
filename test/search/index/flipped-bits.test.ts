import { deepStrictEqual } from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { IndexFailure } from "../../../src/search/index/index-failure.ts";
import { openIndexFile, openMemoryIndex } from "../../../src/search/index/open-index.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import { createRandom, type Random } from "../../guard/corpus/random.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { engineOf, openFile } from "./index-fixture.ts";
import { versionOf } from "./index-writer.ts";

const folders = temporaryFolders();
const pageBytes = 4096;
const mostInTail = 8;

function documentWithVectors(path: string, stamp: number): IndexedDocument {
  const document = versionOf(path, stamp);
  return { ...document, vectors: document.units.map((_, unit) => Float32Array.of((stamp % 5) - 2, unit + 1, 3)) };
}

/** Several chunks, in which some documents are hidden, and a tail. */
const changes = Array.from({ length: 6 }, (_, stamp) => ({
  put: Array.from({ length: [110, 3, 20, 3, 5][stamp] ?? 3 }, (_, number) =>
    documentWithVectors(`f${(stamp + number) % 3}/${(stamp * 7 + number * 5) % 41}.md`, stamp + 1),
  ),
  remove: [`f1/${stamp}.md`],
}));
const lastChange = {
  put: ["f0/1.md", "f1/new.md", "f2/20.md", "f1/30.md"].map((path) => documentWithVectors(path, 99)),
  remove: ["f0/2.md", "f1/7.md", "f2/33.md"],
};

function answersOf(index: SearchIndex) {
  const engine = engineOf(index);
  const { documents, units } = index.counts();
  return {
    matches: ["tokne", "kafka", "queue", "login"].map((term) =>
      engine.match({ terms: [{ term, weight: 1, word: term }], explain: true }, 30),
    ),
    latest: engine.match({ terms: [] }, 20),
    nearest: engine.nearest(Float32Array.of(1, 2, 3), 20),
    counts: { documents, units },
    folders: [...index.folders()].sort(),
    documents: ["f0", "f1", "f2"].map((folder) => index.documentsIn(folder)),
    stamps: ["f0/1.md", "f1/7.md", "f2/20.md"].map((path) => index.stampOf(path)),
    dump: index.dump(),
  };
}

function rightAnswers() {
  const index = openMemoryIndex();
  for (const change of changes) index.apply(change);
  const before = answersOf(index);
  index.apply(lastChange);
  return { before, after: answersOf(index) };
}

/** Every other one in the first bytes of a page, which say where its rows are. */
function flipBit(bytes: Uint8Array, random: Random): { readonly flipped: Uint8Array; readonly where: string } {
  const page = random.below(bytes.length / pageBytes);
  const offset = random.below(random.below(2) === 0 ? 64 : pageBytes);
  const bit = random.below(8);
  const flipped = Uint8Array.from(bytes);
  const at = page * pageBytes + offset;
  flipped[at] = (flipped[at] as number) ^ (1 << bit);
  return { flipped, where: `page ${page}, byte ${offset}, bit ${bit}` };
}

/** Asks, changes, and asks again. */
function useDamaged(file: string, database: string, right: ReturnType<typeof rightAnswers>, where: string): string {
  const opened = openIndexFile({ file, version: "test", mostInTail });
  if (opened.kind !== "open") return "unavailable";
  const { index } = opened;
  try {
    if (!readFileSync(file, "utf8").includes(database.split(".")[1] as string)) return "begun anew";
    deepStrictEqual(answersOf(index), right.before, where);
    index.apply(lastChange);
    deepStrictEqual(answersOf(index), right.after, `changed after ${where}`);
    while (index.maintain(100));
    deepStrictEqual(answersOf(index), right.after, `put in order after ${where}`);
    return "right";
  } catch (error) {
    if (!(error instanceof IndexFailure)) throw error;
    if (error.kind === "lost") expect(index.counts().documents).toBe(0);
    return error.kind;
  } finally {
    index.close();
  }
}

test("SRCH-3 any bit of the index flipped: the answers are right, or the index is begun anew", () => {
  const right = rightAnswers();
  const origin = folders.make();
  const whole = openFile(join(origin, "index"), { mostInTail });
  for (const change of changes) whole.apply(change);
  const { chunks, tail } = whole.counts();
  expect(chunks).toBeGreaterThan(1);
  expect(tail).toBeGreaterThan(5);
  whole.close();
  const [database = ""] = readdirSync(origin).filter((name) => name.endsWith(".sqlite"));
  const bytes = readFileSync(join(origin, database));
  const outcomes = new Map<string, number>();
  const random = createRandom(1);
  const flips = someRuns(100, 300);
  for (let flip = 0; flip < flips; flip++) {
    const folder = folders.make();
    const { flipped, where } = flipBit(bytes, random);
    copyFileSync(join(origin, "index"), join(folder, "index"));
    writeFileSync(join(folder, database), flipped);
    const outcome = useDamaged(join(folder, "index"), database, right, where);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // Free pages, and free places in the others, are of no account.
  expect(outcomes.get("right")).toBeGreaterThan(flips / 6);
  expect(outcomes.get("lost")).toBeGreaterThan(flips / 6);
});
