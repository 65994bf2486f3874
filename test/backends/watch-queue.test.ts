import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFilesStore } from "../../src/backends/files/store.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

describe.runIf(process.platform === "linux")("the kernel's queue of changes", () => {
  it("SRCH-3 is one for all stores of a process: what is too much for it together, none of them misses", async () => {
    const base = folders.make();
    const length = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
    // Of no store alone it is much.
    const each = Math.floor(length / 4) - 200;
    const stores = await Promise.all(
      ["a", "b", "c", "d", "e", "f"].map(async (name) => {
        const folder = join(base, name);
        mkdirSync(folder);
        const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
        onTestFinished(() => store.close());
        const source = store.source("notes");
        expect(await source.watch()).toEqual({ kind: "watching" });
        expect(await source.changes()).toEqual([]);
        return { folder, source };
      }),
    );
    for (const { folder } of stores) {
      for (let number = 0; number < each; number += 1) closeSync(openSync(join(folder, `n${number}.md`), "w"));
    }
    // Undefined where a survey is due.
    for (const { source } of stores) expect((await source.changes())?.length ?? each).toBe(each);
    for (const { folder, source } of stores) {
      // From the survey on, it is told of everything again.
      await source.changes();
      closeSync(openSync(join(folder, "late.md"), "w"));
      expect(await source.changes()).toEqual(["late.md"]);
    }
  });
});
