import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFilesStore } from "../src/backends/files/store.ts";
import { openGitHistory } from "../src/history/git/history.ts";
import { type DocumentPath, parseDocumentPath } from "../src/kernel/document-path.ts";
import { createRandom } from "./random.ts";

const perFolder = 100;
const authors = ["agent:ada", "agent:grace", "person:björn", "person:日本"];

/** Where a document lies: folders of a hundred, in folders of ten. */
export function pathOf(number: number): DocumentPath {
  const folder = Math.floor(number / perFolder);
  return parseDocumentPath(`area-${Math.floor(folder / 10)}/topic-${folder}/note ${number}.md`);
}

/**
 * A root with so many documents: all of them were there before its history, each was written twice since by one of
 * several authors, many at once, and a quarter of them once more on their own: written, appended to, moved or removed.
 */
export async function makeSource(folder: string, documents: number): Promise<void> {
  const random = createRandom(11);
  for (let number = 0; number < documents; number += 1) {
    const path = join(folder, pathOf(number));
    if (number % perFolder === 0) mkdirSync(join(path, ".."), { recursive: true });
    const isText = number % 500 !== 1;
    writeFileSync(
      path,
      isText ? `# Note ${number}\n\nAs it was.\n` : Buffer.from([0xff, 0xfe, number & 0xff, 0, 0x80]),
    );
  }
  const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
  const history = openGitHistory({ trail: store.trail("notes"), env: process.env, now: Date.now });
  const at = (path: DocumentPath) => ({ root: "notes", path });
  const stampOf = (number: number) => ({
    author: authors[number % authors.length] ?? "",
    ...(number % 3 === 0 ? { run: `run-${number}` } : {}),
    ...(number % 5 === 0 ? { reason: `reason ${number}\nof two lines` } : {}),
  });
  await history.catchUp({ waitMs: 60_000 });
  for (let round = 1; round <= 2; round += 1) {
    for (let from = 0; from < documents; from += perFolder) {
      const places = Array.from({ length: Math.min(perFolder, documents - from) }, (_, index) =>
        at(pathOf(from + index)),
      );
      const changes = places.map((place, index) => ({
        kind: "put" as const,
        at: place,
        content: `# Note ${from + index}\n\nRound ${round}, ${random()}\n`.repeat(1 + (index % 7)),
      }));
      await store.commit(places.map(store.resolve), () => changes, stampOf(from / perFolder + round));
    }
    await history.catchUp({ waitMs: 60_000 });
  }
  for (let number = 0; number < documents / 4; number += 1) {
    const place = at(pathOf(Math.floor(random() * documents)));
    const goal = at(parseDocumentPath(`moved/${number % 50}/note ${number}.md`));
    await store.commit(
      [place, goal].map(store.resolve),
      (current) => {
        const chance = number % 4;
        if (chance === 0) return [{ kind: "append", at: place, content: `more ${number}\n` }];
        if (chance === 1 && current(place)) return [{ kind: "remove", at: place }];
        if (chance === 2 && current(place)) return [{ kind: "move", from: place, to: goal }];
        return [{ kind: "put", at: place, content: `alone ${number}\n` }];
      },
      stampOf(number),
    );
  }
  await history.catchUp({ waitMs: 60_000 });
  await history.maintain();
  await history.close();
  await store.close();
}
