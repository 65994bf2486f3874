import { talk } from "./assertion.ts";
import type { ClientRow } from "./client-rows.ts";
import type { ClientWorld } from "./client-world.ts";
import type { ModelRequest, ModelScript } from "./model-script.ts";
import { aboutCache } from "./notes.ts";

/** A prompt that is on record, then a compaction; the requests after it. */
export async function compact(world: ClientWorld, row: ClientRow): Promise<readonly ModelRequest[]> {
  const { compaction } = row;
  if (compaction === undefined) throw new Error("No hook sees its compactions.");
  const isFull = compaction === "full";
  const script: ModelScript = (_, nth) => ({ text: "Done.", isFull: isFull && nth === 0 });
  const [first] = await talk(world, row, [aboutCache], { script });
  if (compaction !== "full") await world.ask(row, compaction.prompt, { isContinued: true });
  // OpenCode goes on by itself at once, the others when they are asked.
  if (first !== undefined && first.requests.length > 1) return first.requests.slice(1);
  const [after] = await talk(world, row, ["Go on."], { isContinued: true });
  return after?.requests ?? [];
}
