import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFilesStore, parseExistingPath } from "../../../src/app.ts";
import type { PlacedDocument } from "../../../src/backends/files/place-documents.ts";
import { scratchFolder } from "./scratch.ts";

/** A folder with one document, which is placed anew while `act` happens with its lock held. */
async function placeWhile(act: (folder: string) => void): Promise<{ text: string; failed: boolean }> {
  const folder = scratchFolder();
  writeFileSync(join(folder, "a.md"), "old\n");
  const store = openFilesStore({ roots: [{ name: "notes", folder }], now: Date.now });
  const placed: PlacedDocument = {
    path: parseExistingPath("a.md"),
    content: { bytes: Buffer.from("placed\n") },
    mayReplace: () => {
      act(folder);
      return true;
    },
  };
  const failed = await store.place("notes", [placed]).then(
    () => false,
    () => true,
  );
  await store.close();
  return { text: readFileSync(join(folder, "a.md"), "utf8"), failed };
}

it("KER-4 a document is put where somebody else's record says that it is", async () => {
  expect(await placeWhile(() => {})).toEqual({ text: "placed\n", failed: false });
});

it("KER-5 nothing is placed where the lock was taken away meanwhile", async () => {
  const takeLock = (folder: string) => rmSync(join(folder, ".recollect", "lock".padEnd(252, "_")));
  expect(await placeWhile(takeLock)).toEqual({ text: "old\n", failed: true });
});

it("KER-6 nothing is placed over what a person saved meanwhile", async () => {
  const save = (folder: string) => writeFileSync(join(folder, "a.md"), "saved by a person\n");
  expect(await placeWhile(save)).toEqual({ text: "saved by a person\n", failed: true });
});
