import { constants, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { isReservedFolder } from "../../core/document-path.ts";
import type { Surveyed, SurveyedFolder } from "../../core/source.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";
import { stampOf } from "./survey-stamp.ts";

export interface Surveying {
  readonly maxBytes: number;
  readonly isDocument: (path: string) => boolean;
  /** False for a folder that an inner root owns. */
  readonly isOwn: (folder: string) => boolean;
  /** Told of a file with several names, which can change without a word to this folder. */
  readonly onShared: (path: string, stat: Stats) => void;
  /** Told of what would be a document if it were smaller. */
  readonly onTooLarge?: ((path: string) => void) | undefined;
  /** A folder with more documents than this comes in several pieces, for somebody who does other things between them. */
  readonly atOnce?: number;
}

/** Each level holds a descriptor. Deeper folders are left out, by surveys and by watches alike. */
const maxDepth = 64;

const quiet = { throwIfNoEntry: false } as const;

/** The documents of an open folder, then those below it. The caller closes the folder. */
export function* surveyFolders(folder: Directory, path: string, surveying: Surveying): Generator<SurveyedFolder> {
  const names = visibleNames(folder);
  const atOnce = surveying.atOnce ?? (names.length || 1);
  const folders: string[] = [];
  for (let from = 0; from === 0 || from < names.length; from += atOnce) {
    const piece = surveyNames(folder, path, names.slice(from, from + atOnce), surveying);
    folders.push(...piece.folders);
    yield { folder: path, documents: piece.documents };
  }
  for (const name of folders) {
    const below = path === "" ? name : `${path}/${name}`;
    const child = isWalked(below, name, surveying) ? openChild(folder, name) : undefined;
    if (!child) continue;
    try {
      yield* surveyFolders(child, below, surveying);
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    } finally {
      child.close();
    }
  }
}

/** One document, where there is one under this name. */
export function surveyDocument(
  folder: Directory,
  name: string,
  path: string,
  surveying: Surveying,
): Surveyed | undefined {
  const stat = lstatSync(folder.at(name), quiet);
  folder.verify();
  return stat?.isFile() ? toSurveyed(path, stat, surveying) : undefined;
}

/** Whether a survey, and a watch, go down into a folder of this path and last name. */
export function isWalked(path: string, name: string, { isOwn }: Pick<Surveying, "isOwn">): boolean {
  return !isPassedOver(name) && path.split("/").length <= maxDepth && isOwn(path);
}

/** Hidden names and reserved folders hold no documents. */
export function isPassedOver(name: string): boolean {
  return name.startsWith(".") || isReservedFolder(name);
}

/** Undefined for what is no folder (any more), became a link, or may not be read. */
export function openChild(folder: Directory, name: string): Directory | undefined {
  try {
    return folder.child(name);
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

export function isOutOfReach(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ESTALE", "ENAMETOOLONG");
}

/** Written for a fresh process, which does this ten thousand times before anything of it is compiled. */
function surveyNames(folder: Directory, path: string, names: readonly string[], surveying: Surveying) {
  const documents: Surveyed[] = [];
  const folders: string[] = [];
  const prefix = path === "" ? "" : `${path}/`;
  const pathOf = quickPaths(folder);
  for (const name of names) {
    const stat = lstatSync(pathOf(name), quiet);
    if (stat === undefined) continue;
    const type = stat.mode & constants.S_IFMT;
    if (type === constants.S_IFREG) {
      const document = toSurveyed(prefix + name, stat, surveying);
      if (document) documents.push(document);
    } else if (type === constants.S_IFDIR) {
      folders.push(name);
    }
  }
  folder.verify();
  return { documents, folders };
}

function visibleNames(folder: Directory): string[] {
  const names = readdirSync(folder.at("."));
  // One look at all of them: nearly always there is neither a hidden name nor one that could fold to a reserved one.
  return /(^|\/)\.|[^\x20-\x7e]/.test(names.join("/")) ? names.filter((name) => !isPassedOver(name)) : names;
}

function toSurveyed(path: string, stat: Stats, surveying: Surveying): Surveyed | undefined {
  if (!surveying.isDocument(path)) return undefined;
  if (stat.size > surveying.maxBytes) {
    surveying.onTooLarge?.(path);
    return undefined;
  }
  if (stat.nlink > 1) surveying.onShared(path, stat);
  return { path, stamp: stampOf(stat) };
}

/** For many files of a folder. `/proc/self` is a link that the kernel follows each time: a fifth of the whole survey. */
export function quickPaths(folder: Directory): (name: string) => string {
  const here = folder.at("");
  const descriptor = /^\/proc\/self(\/fd\/\d+\/)$/.exec(here)?.[1];
  if (descriptor === undefined) return folder.at;
  // Asked of this very /proc: where it is another container's, our own idea of our number is wrong there.
  const prefix = `/proc/${readlinkSync("/proc/self")}${descriptor}`;
  return (name) => prefix + name;
}
