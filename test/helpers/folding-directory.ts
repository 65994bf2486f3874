import { readdirSync } from "node:fs";
import { type Directory, openByDescriptor } from "../../src/stores/files/directory.ts";

/** Linux without a file system that ignores case: every name is looked up the way such a one would. */
export function openFolding(path: string): Directory {
  return folding(openByDescriptor(path));
}

function folding(directory: Directory): Directory {
  const stored = (name: string) => {
    const folded = name.toLowerCase();
    return readdirSync(directory.at(".")).find((other) => other.toLowerCase() === folded) ?? name;
  };
  return {
    ...directory,
    at: (name) => directory.at(name === "." ? name : name.split("/").map(stored).join("/")),
    child: (name) => folding(directory.child(stored(name))),
  };
}
