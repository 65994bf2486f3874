/**
 * The process that is writing when the power goes: it says what it is about to do, does it, and says
 * that it was acknowledged. What it said is all that the rig knows afterwards.
 */
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { chooseOperation, type Effects, perform } from "./powercut-operations.ts";
import { openStore } from "./powercut-store.ts";
import { createRandom } from "./random.ts";

export type Report =
  | { readonly kind: "begins"; readonly serial: number; readonly effects: Effects }
  | { readonly kind: "acknowledged"; readonly serial: number }
  | { readonly kind: "refused"; readonly serial: number; readonly typed: boolean; readonly message: string };

const [source = "", folder = "", seed = "1", restsAfter = "0"] = process.argv.slice(2);
const { store, isTyped } = await openStore(source, folder);
const random = createRandom(Number(seed));
const known = new Map<string, string>();

for (let serial = 1; ; serial += 1) {
  const operation = chooseOperation(known, serial, random);
  say({ kind: "begins", serial, effects: operation.effects });
  try {
    await perform(store, operation);
  } catch (error) {
    say({ kind: "refused", serial, typed: isTyped(error), message: String(error) });
    break;
  }
  say({ kind: "acknowledged", serial });
  for (const [path, content] of Object.entries(operation.effects)) {
    if (content === null) known.delete(path);
    else known.set(path, content);
  }
  if (serial === Number(restsAfter)) await delay(600_000);
}

/** One blocking write: an acknowledgement counts from the moment that the rig can read it. */
function say(report: Report): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}
