import { join } from "node:path";
import { openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";
import { parseDocumentPath } from "../../src/kernel/document-path.ts";
import { createDocuments } from "../../src/kernel/documents.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";
import type { Row } from "../measurement.ts";
import { median } from "../statistics.ts";

/** Writes in two folders in turn: one is recorded all the while, as in a server that stays, the other is not. */
export async function measureWrites(folder: string, writes: number): Promise<Row[]> {
  const [recorded, plain] = [open(join(folder, "recorded")), open(join(folder, "plain"))];
  const timed = { recorded: [] as number[], plain: [] as number[] };
  let isRunning = true;
  const recorder = (async () => {
    while (isRunning) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await recorded.history.catchUp();
    }
  })();
  for (let index = 0; index < writes; index += 1) {
    for (const kind of index % 2 === 0 ? (["recorded", "plain"] as const) : (["plain", "recorded"] as const)) {
      timed[kind].push(await (kind === "recorded" ? recorded : plain).write(index));
    }
  }
  isRunning = false;
  await recorder;
  for (const one of [recorded, plain]) await one.close();
  return [
    {
      measurement: "a durable write while history follows",
      unit: "ms",
      ours: median(timed.recorded),
      reference: { name: "without history", value: median(timed.plain) },
      limit: 1.1,
    },
  ];
}

function open(folder: string) {
  const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
  const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
  const history = openGitHistory({ trail: store.trail("notes"), env: process.env, now: Date.now });
  return {
    history,
    write: async (index: number) => {
      const at = { root: "notes", path: parseDocumentPath(`note-${index % 50}.md`) };
      const text = `A note, written for the time number ${index}.\n`.repeat(40);
      const start = performance.now();
      await documents.write(at, text, { author: "agent:bench" });
      return performance.now() - start;
    },
    close: async () => {
      await history.close();
      await store.close();
    },
  };
}
