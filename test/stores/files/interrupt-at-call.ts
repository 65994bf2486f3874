import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

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

/** For a process of its own: from now on, does something right before the Nth file system call. */
export function interruptAtCall(nth: number, act: () => void): void {
  let calls = 0;
  beforeEachCall(() => {
    calls += 1;
    if (calls === nth) act();
  });
}

/** For a process of its own: tells of every call that changes a file system or makes it durable. */
export function beforeEachCall(tell: (name: string) => void): void {
  for (const name of counted) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        tell(name);
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
}
