import { readdirSync } from "node:fs";
import { type Directory, openByDescriptor } from "../../src/backends/files/directory.ts";

/** Linux without a file system that ignores case: every name is looked up the way such a one would. */
export function openFolding(path: string): Directory {
  return folding(openByDescriptor(path));
}

/** As ext4 and APFS do, where one letter may be the same as two: “ß” is “ss”, “ſ” is “s”, “ﬁ” is “fi”. */
const folded = (name: string) => name.normalize("NFKD").toUpperCase().toLowerCase();

function folding(directory: Directory): Directory {
  const stored = (name: string) => {
    const wanted = folded(name);
    return readdirSync(directory.at(".")).find((other) => folded(other) === wanted) ?? name;
  };
  return {
    ...directory,
    at: (name) => directory.at(name === "." ? name : name.split("/").map(stored).join("/")),
    child: (name) => folding(directory.child(stored(name))),
  };
}
