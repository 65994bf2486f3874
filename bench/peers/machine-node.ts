import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The machine's own Node, not the one that the repository brings: what is compiled at its installation is compiled
 * for headers that are on the machine, and loads in no other version.
 */
export function findMachineNode(): { readonly program: string; readonly path: string } {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const folder = folders.find((one) => existsSync(join(one, "node")));
  return { program: folder === undefined ? process.execPath : join(folder, "node"), path: folders.join(delimiter) };
}
