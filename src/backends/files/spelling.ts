import { lstatSync, opendirSync, readdirSync } from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import type { Directory } from "./directory.ts";

/** How many names to look at before giving up: in a folder of digits alone, nothing can clash. */
const enough = 50;

/**
 * Whether a folder takes two spellings for one name, as on macOS and Windows, and on Linux in a folder
 * with casefold. Undefined where it holds no name yet that could tell.
 */
export function foldsCase(folder: Directory): boolean | undefined {
  const listing = opendirSync(folder.at("."));
  try {
    for (let seen = 0; seen < enough; seen += 1) {
      const name = listing.readSync()?.name;
      if (name === undefined) return undefined;
      const twin = swapCase(name);
      if (twin !== name) return isSameFile(folder, name, twin);
    }
    return undefined;
  } finally {
    listing.closeSync();
  }
}

/**
 * Refuses a name that such a folder would take for another, already given one. The file system is asked: each folds in
 * its own way, and to some “strasse” and “straße” are one.
 */
export function assertSameSpelling(folder: Directory, name: string): void {
  if (!lstatSync(folder.at(name), { throwIfNoEntry: false })) return;
  const names = readdirSync(folder.at("."));
  // Looked for by what it is, since one that is not listed may also have been made or deleted in between.
  if (names.includes(name) || !names.some((other) => isSameFile(folder, name, other))) return;
  throw new RecollectError(
    "INVALID_PATH",
    `“${name}” differs from an existing name only in case or in Unicode form. Use that spelling, or another name.`,
    {
      data: { rule: "case-clash", segment: name },
    },
  );
}

/** Letters of ASCII alone: others change their length or fold in ways of their own. */
function swapCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Undefined where the name is gone by now. */
function isSameFile(folder: Directory, name: string, twin: string): boolean | undefined {
  const stat = (one: string) => lstatSync(folder.at(one), { bigint: true, throwIfNoEntry: false });
  const [self, other] = [stat(name), stat(twin)];
  return self && self.ino === other?.ino && self.dev === other.dev;
}
