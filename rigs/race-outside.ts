import { hash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the outside looks like: by path, everything about it that a write would change. */
export type Snapshot = ReadonlyMap<string, string>;

/** Folders count too: their time tells of a file that was made and is gone again. */
export function snapshot(folder: string, withBytes: boolean): Snapshot {
  const found = new Map<string, string>();
  const describe = (path: string) => {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return;
    // Not the number of links and not the time of the inode: the attackers make hard links.
    const about = [stat.dev, stat.ino, stat.mode, stat.uid, stat.gid, stat.size, stat.mtimeNs].join(" ");
    const bytes = withBytes && stat.isFile() ? hash("sha256", readFileSync(path), "hex") : "";
    found.set(path.slice(folder.length), `${about} ${bytes}`);
  };
  describe(folder);
  for (const name of readdirSync(folder, { recursive: true }) as string[]) describe(join(folder, name));
  return found;
}

export function differences(before: Snapshot, after: Snapshot): string[] {
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `gone: ${path}`);
  const made = [...after.keys()].filter((path) => !before.has(path)).map((path) => `made: ${path}`);
  const changed = [...after].flatMap(([path, about]) => {
    const was = before.get(path);
    return was !== undefined && was !== about ? [`changed: ${path}: ${was} → ${about}`] : [];
  });
  return [...gone, ...made, ...changed];
}
