import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { bestOpenDirectory, type Directory } from "../backends/files/directory.ts";
import { readPlainFile } from "../backends/files/document-file.ts";
import { hasCode } from "../backends/files/storage-error.ts";
import { auxiliaryFolder, isExistingPath } from "../kernel/document-path.ts";
import { isRecollectError } from "../kernel/errors.ts";
import { conflictPath } from "../kernel/merge/conflict-path.ts";
import { isRegular, type TreeEntry } from "./tree-entries.ts";

/** Files of the repository that are no documents, as they lie in the folder. Never through a link. */
export interface PlacedFiles {
  /** Undefined where there is none; "other" for a link, a folder and the like. */
  read(path: string): Uint8Array | "other" | undefined;
  write(path: string, bytes: Uint8Array, mode: string): void;
  remove(path: string): void;
  /** What has this name, whatever it is; undefined where nothing has. */
  look(path: string): Placed | undefined;
  /** Whether it is a folder with nothing in it, and in the folders in it, but what we keep beside documents. */
  isEmptyFolder(path: string): boolean;
  /** Gives it another name, beside the one it had, and says which. */
  moveAside(path: string): string;
  /** Takes away what killed processes left. */
  sweep(): void;
}

interface Placed {
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
}

const maxBytes = 128 * 1024 * 1024;
const maxNameBytes = 255;
const maxDepth = 64;
const draftName = "recollect-new-";

/**
 * Whether a file can lie in the folder: what leads elsewhere (`.git`, `..`), a link, another repository or something
 * huge stays in git alone.
 */
export function isPlaceable(path: string, entry: TreeEntry): boolean {
  if (!isRegular(entry) || entry.size > maxBytes || !isExistingPath(path)) return false;
  const names = path.split("/");
  return (
    names.length <= maxDepth && names.every((name) => Buffer.byteLength(name) <= maxNameBytes && !/^git~\d/i.test(name))
  );
}

export function openPlacedFiles(folder: string, gitDir: string): PlacedFiles {
  const open = bestOpenDirectory();

  /** The folder of a file; undefined where it is missing, or no folder. */
  function openParent(path: string, makes: boolean): Directory | undefined {
    let parent = open(folder);
    for (const name of path.split("/").slice(0, -1)) {
      const held = parent;
      try {
        if (makes) makeFolder(held, name);
        parent = held.child(name);
      } catch (error) {
        if (makes || !hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
        return undefined;
      } finally {
        held.close();
      }
    }
    return parent;
  }

  function inParent<Result>(path: string, use: (parent: Directory, name: string) => Result, makes = false) {
    const parent = openParent(path, makes);
    try {
      return parent && use(parent, nameIn(path));
    } finally {
      parent?.close();
    }
  }

  function look(path: string): Placed | undefined {
    return inParent(path, (parent, name) => {
      const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
      if (!stat) return undefined;
      const kind = stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "other";
      return { kind, size: stat.size } as const;
    });
  }

  return {
    read: (path) => {
      try {
        return inParent(path, (parent, name) => readPlainFile(parent, name, maxBytes)?.bytes);
      } catch (error) {
        if (isRecollectError(error) || hasCode(error, "EACCES", "EPERM")) return "other";
        throw error;
      }
    },
    write: (path, bytes, mode) => {
      const draft = join(gitDir, `${draftName}${randomUUID()}`);
      const descriptor = openSync(draft, "wx", 0o666);
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      try {
        if (mode === "100755") chmodSync(draft, 0o755);
        inParent(path, (parent, name) => moveInto(parent, name, draft), true);
      } finally {
        rmSync(draft, { force: true });
      }
    },
    remove: (path) => void inParent(path, (parent, name) => rmSync(parent.at(name), { force: true })),
    look,
    isEmptyFolder: (path) =>
      inParent(path, (parent, name) => {
        if (look(path)?.kind !== "folder") return false;
        const held = parent.child(name);
        try {
          return isEmpty(held);
        } finally {
          held.close();
        }
      }) ?? false,
    moveAside: (path) => {
      const isFree = (one: string) => look(one) === undefined;
      // By chance and not by what it holds: it may be a folder, or larger than anybody wants to read.
      const beside = conflictPath(path, randomUUID(), isFree);
      inParent(path, (parent, name) => renameSync(parent.at(name), parent.at(nameIn(beside))));
      return beside;
    },
    sweep: () => {
      for (const name of readdirSync(gitDir))
        if (name.startsWith(draftName)) rmSync(join(gitDir, name), { force: true });
    },
  };
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isEmpty(folder: Directory): boolean {
  return readdirSync(folder.at("."), { withFileTypes: true }).every((entry) => {
    if (entry.name === auxiliaryFolder) return true;
    if (!entry.isDirectory()) return false;
    const held = folder.child(entry.name);
    try {
      return isEmpty(held);
    } finally {
      held.close();
    }
  });
}

/** A linked worktree may lie on another disk than its repository: then the file is made beside its place first. */
function moveInto(parent: Directory, name: string, draft: string): void {
  try {
    renameSync(draft, parent.at(name));
  } catch (error) {
    if (!hasCode(error, "EXDEV")) throw error;
    const near = parent.at(`.recollect-draft-${randomUUID()}`);
    try {
      copyFileSync(draft, near, constants.COPYFILE_EXCL);
      syncFile(near);
      renameSync(near, parent.at(name));
    } finally {
      rmSync(near, { force: true });
    }
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function makeFolder(parent: Directory, name: string): void {
  try {
    mkdirSync(parent.at(name));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
