import { hash } from "node:crypto";
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** In every name or every content of the outside, so that whoever gets to see it can be told at once. */
export const marker = "OUTSIDE-SECRET";

export const raceFolders = ["alpha", "beta", "beta/deep", "gamma"] as const;
export const raceNames = ["one.md", "two.md", "three.md"] as const;
export const racePaths: readonly string[] = raceFolders.flatMap((folder) =>
  raceNames.map((name) => `${folder}/${name}`),
);

/** The folders of one run. Only `inside` is known to the store; `parked` holds what is swapped away for a moment. */
export interface RacePlace {
  readonly base: string;
  /** How the inside is reached from the base: by a folder above it that is swapped as well. */
  readonly insideNames: readonly [above: string, root: string];
  readonly inside: string;
  /** The outside lies in it as the inside does in the folder above it, so that a link in the place of that finds it. */
  readonly beyond: string;
  readonly outside: string;
  readonly parked: string;
}

export function placeIn(base: string): RacePlace {
  const insideNames = ["above", "notes"] as const;
  const beyond = join(base, "beyond");
  return {
    base,
    insideNames,
    inside: join(base, ...insideNames),
    beyond,
    outside: join(beyond, insideNames[1]),
    parked: join(base, "parked"),
  };
}

/**
 * Whether the outside can belong to another user. A second name of a file of the folder's own user is read on purpose,
 * since backups make them, so only then can hard links be told from links that were followed.
 */
export const isForeign = process.getuid?.() === 0;

/** Fills both sides. The outside has the same names as the inside, so that a followed link finds something. */
export function buildPlace({ inside, outside, parked }: RacePlace): void {
  for (const folder of raceFolders) {
    mkdirSync(join(inside, folder), { recursive: true });
    mkdirSync(join(outside, folder), { recursive: true });
    for (const name of raceNames) {
      writeFileSync(join(inside, folder, name), `inside ${folder}/${name}\n`);
      writeFileSync(join(outside, folder, name), `${marker} ${folder}/${name}\n`);
    }
    writeFileSync(join(outside, folder, `${marker}.md`), `${marker} a name of its own\n`);
  }
  mkdirSync(parked, { recursive: true });
  buildAuxiliary(join(outside, ".recollect"));
  for (const folder of raceFolders)
    cpSync(join(outside, ".recollect"), join(outside, folder, ".recollect"), { recursive: true });
  if (isForeign) giveAway(outside);
}

function giveAway(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true }) as string[])
    chownSync(join(folder, name), 65_533, 65_533);
}

/** As the store names them: so long that no journal has room beside them. */
export const lockNames = ["lock", "entrance"].map((name) => name.padEnd(252, "_"));

/** Everything that the store has in an auxiliary folder. */
function buildAuxiliary(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of [...lockNames, "turns", "journal", "intent-draft", "new-0"]) {
    writeFileSync(join(folder, name), `${marker} ${name}\n`.repeat(40));
  }
  // What SQLite would obey if a lock had a shorter name: it works out the path of a rollback journal when
  // it opens a lock, and looks there whenever it takes the lock, wherever that path leads by then.
  for (const name of ["lock", "entrance"]) writeFileSync(join(folder, `${name}-journal`), `${marker}\n`);
  writeFileSync(join(folder, "small-lock"), `${marker}\n`);
}

/** The revisions of everything outside: none may ever be reported. */
export function outsideRevisions(outside: string): ReadonlySet<string> {
  return new Set(
    readdirSync(outside, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => hash("sha256", readFileSync(join(parentPath, name)), "hex").slice(0, 32)),
  );
}
