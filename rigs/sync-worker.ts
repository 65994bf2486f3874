import { createInterface } from "node:readline";
import { openClone } from "./sync-clone.ts";
import { perform, type Step } from "./sync-steps.ts";

/** One process with one clone: does what it is told, line by line, and answers when it is done. */
const [folder = "", remote = ""] = process.argv.slice(2);
const clone = openClone(folder, remote);
for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line) as Step;
  const before = clone.merges();
  const result = await perform(clone, step);
  process.stdout.write(`${JSON.stringify({ ...result, merges: clone.merges() - before })}\n`);
}
await clone.close();
