// Does one operation over several folders, and kills itself right before its Nth file system call.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { openFilesStore } from "../../../src/index.ts";
import { spanningChanges } from "./spanning-operation.ts";

const [folder = "", nth = "0"] = process.argv.slice(2);
const store = openFilesStore({ roots: [{ name: "notes", folder }], now: Date.now });
const { addresses, changes } = spanningChanges();
countCalls(Number(nth));
await store.commit(addresses, () => changes, { author: "agent:killed" });
process.stdout.write("acknowledged\n");

function countCalls(killAt: number): void {
  let calls = 0;
  const counted = [
    "openSync",
    "writeSync",
    "fsyncSync",
    "renameSync",
    "linkSync",
    "unlinkSync",
    "rmSync",
    "mkdirSync",
  ] as const;
  for (const name of counted) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        calls += 1;
        if (calls === killAt) process.kill(process.pid, "SIGKILL");
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
}
