import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below a folder as it is, never through a link: kind, and content or target. */
export function snapshotOf(folder: string, isLeftOut: (name: string) => boolean = () => false): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    if (isLeftOut(name)) continue;
    const path = join(folder, name);
    found[name] = describe(path);
    if (!lstatSync(path).isDirectory()) continue;
    for (const [inner, what] of Object.entries(snapshotOf(path, isLeftOut))) found[`${name}/${inner}`] = what;
  }
  return found;
}

/** The same without what Recollect keeps for itself, beside documents and among the user's data: that comes and goes. */
export function documentsOf(folder: string): Record<string, string> {
  return snapshotOf(folder, (name) => name === ".recollect" || name === ".local");
}

function describe(path: string): string {
  const stat = lstatSync(path);
  if (stat.isDirectory()) return "folder";
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  if (!stat.isFile()) return "device";
  return `file ${createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)}`;
}

/** The regular files below a folder, by their paths. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
