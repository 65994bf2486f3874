import { constants, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { isReservedFolder } from "../../kernel/document-path.ts";
import type { Surveyed, SurveyedFolder } from "../../kernel/source.ts";
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
  /** Told of a folder that may not be read. */
  readonly onRefused?: ((path: string) => void) | undefined;
  /** Told of what would be a document if it were smaller. */
  readonly onTooLarge?: ((path: string) => void) | undefined;
  /** Where the root lies: a large folder is looked through in two thirds of the time by its path. */
  readonly realPath?: string;
  /** A folder with more documents than this comes in several pieces, for somebody who does other things between them. */
  readonly atOnce?: number;
}

/** Each level holds a descriptor. Deeper folders are left out, by surveys and by watches alike. */
const maxDepth = 64;

/** From so many names on, two looks at where the folder is cost less than they save. */
const worthAPath = 16;

const quiet = { throwIfNoEntry: false } as const;

interface SurveyedNames {
  readonly documents: readonly Surveyed[];
  readonly folders: readonly string[];
}

/** The documents of an open folder, then those below it. The caller closes the folder. */
export function* surveyFolders(folder: Directory, path: string, surveying: Surveying): Generator<SurveyedFolder> {
  for (const name of yield* surveyFolder(folder, path, surveying)) {
    const below = path === "" ? name : `${path}/${name}`;
    const refused = () => surveying.onRefused?.(below);
    const child = isWalked(below, name, surveying) ? openChild(folder, name, refused) : undefined;
    if (!child) continue;
    try {
      yield* surveyFolders(child, below, surveying);
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      if (isDenied(error)) refused();
    } finally {
      child.close();
    }
  }
}

/** The folder's own documents; returns the names of the folders in it. */
function* surveyFolder(
  folder: Directory,
  path: string,
  surveying: Surveying,
): Generator<SurveyedFolder, readonly string[]> {
  const names = visibleNames(folder);
  const atOnce = surveying.atOnce ?? (names.length || 1);
  const folders: string[] = [];
  for (let from = 0; from === 0 || from < names.length; from += atOnce) {
    const piece = surveyNames(folder, path, names.slice(from, from + atOnce), surveying);
    folders.push(...piece.folders);
    yield { folder: path, documents: piece.documents };
  }
  return folders;
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
export function openChild(folder: Directory, name: string, onRefused = () => {}): Directory | undefined {
  try {
    return folder.child(name);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    if (isDenied(error)) onRefused();
    return undefined;
  }
}

function isDenied(error: unknown): boolean {
  return hasCode(error, "EACCES", "EPERM");
}

export function isOutOfReach(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ESTALE", "ENAMETOOLONG");
}

function surveyNames(folder: Directory, path: string, names: readonly string[], surveying: Surveying): SurveyedNames {
  const { realPath } = surveying;
  if (realPath !== undefined && names.length >= worthAPath) {
    const found = surveyByPath(folder, path === "" ? realPath : `${realPath}/${path}`, path, names, surveying);
    if (found) return found;
  }
  return surveyBy(quickPaths(folder), folder, path, names, surveying);
}

/**
 * Undefined where the path does not mean the folder, before or after it. What was swapped for another one and back
 * meanwhile can only have given a stamp that fits nothing: whoever reads a document goes by the open folder.
 */
function surveyByPath(
  folder: Directory,
  realPath: string,
  ...what: readonly [path: string, names: readonly string[], surveying: Surveying]
): SurveyedNames | undefined {
  try {
    if (!isAt(folder, realPath)) return undefined;
    const found = surveyBy((name) => `${realPath}/${name}`, folder, ...what);
    return isAt(folder, realPath) ? found : undefined;
  } catch (error) {
    // A path may be too long for the system although the open folder can be read.
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

function isAt({ device, inode }: Directory, realPath: string): boolean {
  const stat = lstatSync(realPath, { bigint: true, throwIfNoEntry: false });
  return stat !== undefined && stat.dev === device && stat.ino === inode;
}

/** Written for a fresh process, which does this ten thousand times before anything of it is compiled. */
function surveyBy(
  pathOf: (name: string) => string,
  folder: Directory,
  path: string,
  names: readonly string[],
  surveying: Surveying,
): SurveyedNames {
  const documents: Surveyed[] = [];
  const folders: string[] = [];
  const prefix = path === "" ? "" : `${path}/`;
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
