import { deepStrictEqual, throws } from "node:assert/strict";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import type { Random } from "../../guard/corpus/random.ts";
import { engineOf, openFile } from "./index-fixture.ts";
import { versionOf, words } from "./index-writer.ts";

export type Documents = Map<string, IndexedDocument>;

/** Everything that a score is made of, and the scores. */
function viewOf(index: SearchIndex, terms: readonly string[]) {
  const snapshot = index.beginReading();
  const counted = { all: snapshot.units, units: terms.map((term) => [term, snapshot.entry(term).units]) };
  index.endReading();
  const engine = engineOf(index);
  const matches = terms.map((term) => engine.match({ terms: [{ term, weight: 1, word: term }], explain: true }, 20));
  const { documents, units } = index.counts();
  return { counted, matches, documents, units, folders: [...index.folders()].sort() };
}

function rebuiltFrom(documents: Documents): SearchIndex {
  const rebuilt = openMemoryIndex();
  rebuilt.apply({ put: [...documents.values()], remove: [] });
  return rebuilt;
}

/** Those that stay, and one that is new, equal a rebuild. */
export function expectRight(
  file: string,
  stays: readonly SearchIndex[],
  documents: Documents,
  terms: readonly string[],
): void {
  const fresh = openFile(file);
  const rebuilt = rebuiltFrom(documents);
  const right = viewOf(rebuilt, terms);
  for (const index of [...stays, fresh]) deepStrictEqual(viewOf(index, terms), right);
  fresh.close();
  rebuilt.close();
}

/** A change that fails after it has begun to write. */
export function failToApply(index: SearchIndex, put: readonly IndexedDocument[], remove: readonly string[]): void {
  class Failing extends Map<string, number> {
    override has(path: string): boolean {
      if (path === "last.md") throw new Error("on purpose");
      return false;
    }
  }
  throws(() => index.apply({ put, remove: [...remove, "last.md"], seen: new Failing() }), /on purpose/);
}

/** Two that write, by turns with one of two that stay; after each step all are compared. */
export function takeSteps(random: Random, steps: number, file: string): void {
  const documents: Documents = new Map();
  const mostInTail = 1 + random.below(8);
  const writers = [openFile(file, { mostInTail }), openFile(file, { mostInTail })];
  // One remembers everything, one next to nothing.
  const stays = [openFile(file, { mostInTail }), openFile(file, { cacheBytes: 3000, mostInTail })];
  for (let step = 1; step <= steps; step++) {
    const place = random.below(writers.length);
    const writer = random.below(6) === 0 ? (stays[0] as SearchIndex) : (writers[place] as SearchIndex);
    takeStep(random, step, writer, documents);
    if (random.below(12) === 0) {
      writers[place]?.close();
      writers[place] = openFile(file, { mostInTail });
    }
    const terms = words.filter(() => random.below(3) > 0);
    expectRight(file, stays, documents, terms);
  }
  for (const index of [...writers, ...stays]) index.close();
}

function takeStep(random: Random, step: number, writer: SearchIndex, documents: Documents): void {
  const anyPath = () => `f${random.below(3)}/${random.below(30)}.md`;
  const put = Array.from({ length: random.below(12) }, () => versionOf(anyPath(), step));
  const remove = Array.from({ length: random.below(4) }, anyPath);
  switch (random.below(8)) {
    case 0:
      while (writer.maintain(100));
      break;
    case 1:
      writer.maintain(0.2);
      break;
    case 2:
      failToApply(writer, put, remove);
      break;
    default:
      writer.apply({ put, remove });
      for (const path of remove) documents.delete(path);
      for (const document of put) documents.set(document.path, document);
  }
}
