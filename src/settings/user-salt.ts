import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../backends/files/make-folders.ts";

const saltBytes = 16;

/**
 * A user's own random bytes, by which hashes in their records tell nothing to a reader. Made by the process
 * that comes first, and read by all others: it appears whole, or not at all.
 */
export function readUserSalt(dataFolder: string): Buffer {
  const file = join(dataFolder, "salt");
  const known = attempt("ENOENT", () => readFileSync(file));
  if (known) return known;
  makeFolders(dataFolder, 0o700);
  const fresh = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(fresh, randomBytes(saltBytes), { flag: "wx", mode: 0o600 });
  attempt("EEXIST", () => linkSync(fresh, file));
  rmSync(fresh);
  return readFileSync(file);
}

function attempt<Result>(expected: string, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === expected) return undefined;
    throw error;
  }
}
