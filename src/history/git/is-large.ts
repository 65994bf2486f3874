import { statSync } from "node:fs";
import { join } from "node:path";
import type { Trail } from "../../kernel/trail.ts";
import type { Pace } from "../pace.ts";
import { stateFileName } from "./state-file.ts";

/** To record so many, or to know what history has of them, takes a process many megabytes and a second. */
const manyDocuments = 5000;
/** What the state file has of each, at least. */
const bytesEach = 90;

/** Whether a root has many documents: as the last run left it, or as it is where none has come to its end. */
export async function isLarge(trail: Trail, pace: Pace): Promise<boolean> {
  const known = stateBytes(trail.existingPlace());
  if (known > 0) return known > manyDocuments * bytesEach;
  let count = 0;
  for (const _ of trail.survey()) {
    count += 1;
    if (count > manyDocuments) return true;
    await pace.turn();
  }
  return false;
}

/** 0 where there is none. */
function stateBytes(place: string | undefined): number {
  try {
    return place === undefined ? 0 : statSync(join(place, stateFileName)).size;
  } catch {
    return 0;
  }
}
