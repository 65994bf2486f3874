import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StepsReport } from "./versions-report.ts";
import { saveInEditor, send } from "./versions-steps.ts";
import type { VersionsWorld } from "./versions-world.ts";

const documents = 5100;
const recordedWithinMs = 120_000;

/**
 * A folder of more than 5,000 documents and no server: a command does not record there, but starts a process that does.
 * An editor saves over each version at once; kept copies must not pile up.
 */
export async function useLargeFolder(world: VersionsWorld, writes: number, report: StepsReport): Promise<void> {
  const folder = world.folderOf("memories");
  for (let index = 0; index < documents; index += 1) {
    const topic = join(folder, `topic-${index % 20}`);
    mkdirSync(topic, { recursive: true });
    writeFileSync(join(topic, `note-${index}.md`), `Note ${index}.\n`);
  }
  for (let index = 0; index < writes; index += 1) {
    const operation = index % 2 === 0 ? "write" : "append";
    const text = `Version ${index} in a large folder.\n`;
    const file = await send(world, report, "cli", { operation, place: "memories", name: "large", text, to: "" });
    if (file === undefined) report.broken.push({ kind: "large folder", says: `${operation} ${index} was refused` });
    else saveInEditor(file, { report, isInPlace: index % 4 < 2 });
  }
  const until = Date.now() + recordedWithinMs;
  while (keptIn(folder) > 0 && Date.now() < until) await delay(250);
  const left = keptIn(folder);
  if (left > 0) report.broken.push({ kind: "large folder", says: `${left} kept copies were never recorded` });
}

function keptIn(folder: string): number {
  return readdirSync(join(folder, ".recollect")).filter((name) => name.startsWith("kept-")).length;
}
