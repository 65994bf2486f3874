import { isUtf8 } from "node:buffer";

/** A file of a revision, as git has it. */
export interface TreeEntry {
  /** Six digits: 100644, 100755, 120000 for a link, 160000 for another repository. */
  readonly mode: string;
  readonly id: string;
  /** 0 for what is no file. */
  readonly size: number;
}

/** All files of a revision, by their paths. */
export type EntryTree = ReadonlyMap<string, TreeEntry>;

export function isRegular({ mode }: TreeEntry): boolean {
  return mode === "100644" || mode === "100755";
}

export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

/** Paths at which two revisions differ. */
export function changedPaths(one: EntryTree, other: EntryTree): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => !isSameEntry(one.get(path), other.get(path)));
}

/** A path that is no UTF-8 gets a NUL before it, which no path of a document has, and keeps its bytes. */
export function toPath(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : `\0${bytes.toString("latin1")}`;
}

export function fromPath(path: string): Buffer {
  return path.startsWith("\0") ? Buffer.from(path.slice(1), "latin1") : Buffer.from(path);
}

/** The parts of what git prints with `-z`. */
export function splitAtNul(printed: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < printed.length; ) {
    const end = printed.indexOf(0, at);
    parts.push(printed.subarray(at, end === -1 ? printed.length : end));
    at = end === -1 ? printed.length : end + 1;
  }
  return parts;
}

/** Of `git ls-tree -r -l -z`. */
export function parseTree(printed: Buffer): EntryTree {
  return new Map(
    splitAtNul(printed).map((line): [string, TreeEntry] => {
      const tab = line.indexOf(9);
      const [mode = "", , id = "", size = ""] = line.toString("latin1", 0, tab).split(/ +/);
      return [toPath(line.subarray(tab + 1)), { mode, id, size: Number(size) || 0 }];
    }),
  );
}
