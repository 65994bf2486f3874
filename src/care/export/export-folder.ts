import { closeSync, futimesSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { createFresh } from "../../backends/files/auxiliary.ts";
import { allDone, bestOpenDirectory, type Directory, syncDescriptor } from "../../backends/files/directory.ts";
import { readPlainFile } from "../../backends/files/document-file.ts";
import { writeAll } from "../../backends/files/durable-file.ts";
import { assertSameSpelling } from "../../backends/files/spelling.ts";
import { hasCode } from "../../backends/files/storage-error.ts";
import { RecollectError } from "../../kernel/errors.ts";

/** A document on its way into the folder. */
export interface ExportedDocument {
  /** From the top of the export. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** A folder that gets plain files and nothing else. No link in it is followed. */
export interface ExportFolder {
  /** Those that are there already are left as they are. */
  write(documents: readonly ExportedDocument[]): Promise<void>;
  /** The paths of all that is there. */
  paths(): Generator<string>;
  /** From here on it is an ordinary folder. */
  finish(): void;
  close(): void;
}

/** Drafts are in it, and it is there while not all is exported: a folder with something else in it is somebody's. */
const markName = ".recollect-export";

/** Throws NOT_ALLOWED where there is something else already. The folder must be there. */
export function openExportFolder(folder: string): ExportFolder {
  const top = bestOpenDirectory()(folder);
  try {
    const names = readdirSync(top.at("."));
    if (names.length > 0 && !names.includes(markName)) throw notEmpty();
    if (names.length === 0) mkdirSync(top.at(markName));
    const drafts = top.child(markName);
    return {
      write: (documents) => writeAllOf(documents, top, drafts),
      paths: () => pathsIn(top, ""),
      finish: () => {
        for (const name of readdirSync(drafts.at(".")).filter((one) => /^[0-9]+$/.test(one))) rmSync(drafts.at(name));
        rmSync(top.at(markName), { recursive: true });
        top.syncNow();
      },
      close: () => {
        drafts.close();
        top.close();
      },
    };
  } catch (error) {
    top.close();
    throw error;
  }
}

async function writeAllOf(documents: readonly ExportedDocument[], top: Directory, drafts: Directory): Promise<void> {
  const folders = Map.groupBy(documents, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  for (const [path, inside] of folders) {
    const opened: Directory[] = [];
    try {
      const folder = path.split("/").reduce((parent, name) => {
        const child = enter(parent, name);
        opened.push(child);
        return child;
      }, top);
      await writeInto(folder, inside, drafts);
      for (const one of opened) one.syncNow();
    } finally {
      for (const one of opened) one.close();
    }
  }
}

function enter(parent: Directory, name: string): Directory {
  try {
    if (!lstatSync(parent.at(name), { throwIfNoEntry: false })) mkdirSync(parent.at(name));
    else assertSameSpelling(parent, name);
    return parent.child(name);
  } catch (error) {
    if (!hasCode(error, "ENOTDIR", "ELOOP")) throw error;
    throw new RecollectError(
      "NOT_ALLOWED",
      `“${name}” in the export is no folder any more. Export to an empty folder.`,
    );
  }
}

async function writeInto(folder: Directory, documents: readonly ExportedDocument[], drafts: Directory): Promise<void> {
  const made: { readonly name: string; readonly draft: string; readonly descriptor: number }[] = [];
  try {
    for (const { path, bytes, modified } of documents) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (isThere(folder, name, bytes)) continue;
      const draft = drafts.at(String(made.length));
      const descriptor = createFresh(draft, 0o666);
      made.push({ name, draft, descriptor });
      writeAll(descriptor, Buffer.from(bytes));
      const seconds = (modified + 0.5) / 1000;
      futimesSync(descriptor, seconds, seconds);
    }
    await allDone(made.map(({ descriptor }) => syncDescriptor(descriptor, false)));
    for (const { name, draft } of made) renameSync(draft, folder.at(name));
  } finally {
    for (const { descriptor } of made) closeSync(descriptor);
  }
}

/** Whether an export that was cut off has put it there. One that is another by now is replaced, a link or folder never. */
function isThere(folder: Directory, name: string, bytes: Uint8Array): boolean {
  if (!lstatSync(folder.at(name), { throwIfNoEntry: false })) return false;
  assertSameSpelling(folder, name);
  return readPlainFile(folder, name, Number.POSITIVE_INFINITY)?.bytes.equals(bytes) ?? false;
}

function* pathsIn(folder: Directory, prefix: string): Generator<string> {
  for (const entry of readdirSync(folder.at("."), { withFileTypes: true })) {
    if (prefix === "" && entry.name === markName) continue;
    if (!entry.isDirectory()) {
      yield prefix + entry.name;
      continue;
    }
    const child = folder.child(entry.name);
    try {
      yield* pathsIn(child, `${prefix}${entry.name}/`);
    } finally {
      child.close();
    }
  }
}

function notEmpty(): RecollectError {
  return new RecollectError(
    "NOT_ALLOWED",
    "The folder for the export holds something already. Give an empty or new one.",
  );
}
