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
export function beforeEachCall(tell: (name: Counted, args: readonly unknown[]) => void): void {
  for (const name of counted) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        tell(name, args);
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
}

type Counted = (typeof counted)[number];

/** For a process of its own: acts once, before or after the first such call that changes or opens what `path` says. */
export function atFirstCall(
  { names, path, when }: { names: readonly Counted[]; path: RegExp; when: "before" | "after" },
  act: (...args: readonly unknown[]) => void,
): void {
  let done = false;
  const actOnce = (now: "before" | "after", args: readonly unknown[]) => {
    const target = typeof args[1] === "string" ? args[1] : String(args[0]);
    if (done || now !== when || !path.test(target)) return;
    done = true;
    act(...args);
  };
  for (const name of names) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        actOnce("before", args);
        const result = original(...args);
        actOnce("after", args);
        return result;
      },
    });
  }
  syncBuiltinESMExports();
}
