import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** A process that stays writes chunks anew some time after the last write, one after the other. */
const quietMs = 8000;
const [pollMs, mostMs] = [250, 120_000];

/** Resolves when nothing in a folder has changed for a while: an index goes on tidying up after it was built. */
export async function settled(folder: string): Promise<void> {
  const begin = performance.now();
  let [before, since] = ["", begin];
  while (performance.now() - begin < mostMs) {
    const now = fingerprintOf(folder);
    if (now !== before) [before, since] = [now, performance.now()];
    else if (performance.now() - since >= quietMs) return;
    await setTimeout(pollMs);
  }
}

function fingerprintOf(folder: string): string {
  const files = readdirSync(folder).map((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return `${name} ${stat?.size} ${stat?.mtimeMs}`;
  });
  return files.sort().join("\n");
}
