import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { hasCode } from "../backends/files/storage-error.ts";
import { attempt } from "../kernel/attempt.ts";
import { isReservedFolder } from "../kernel/document-path.ts";

const mostLinks = 40;

/**
 * Where a path really leads, also one that is not there yet. A link to something missing is followed as
 * well: whoever makes its target later would otherwise have been taken for a folder inside.
 */
export function realPathOf(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR") || dirname(path) === path) throw error;
  }
  const parent = realPathOf(dirname(path), links);
  const place = join(parent, basename(path));
  const target = danglingTarget(place);
  if (target === undefined) return place;
  if (links >= mostLinks) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return realPathOf(resolve(parent, target), links + 1);
}

/** Undefined where nobody can look at it: then it is not a folder that was just looked at. */
export function realOrNone(folder: string): string | undefined {
  return attempt(() => realPathOf(folder));
}

/** Component by component: `/a/app-evil` is not inside `/a/app`. Both are real paths. */
export function isInside(outer: string, path: string): boolean {
  const way = relative(outer, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Why a folder is not one of the project's own, or undefined where it is. What cannot be looked at
 * counts as outside. So does `.git`: a file written there can become a command that git runs.
 */
export function whyOutside(project: string, folder: string): string | undefined {
  try {
    const [outer, real] = [realPathOf(project), realPathOf(folder)];
    if (!isInside(outer, real)) {
      return isInside(resolve(project), folder)
        ? "it leads outside of the project through a link"
        : "it lies outside of the project";
    }
    const reserved = relative(outer, real).split(sep).find(isReservedFolder);
    return reserved === undefined ? undefined : `it lies in the reserved folder ${reserved}`;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return "it cannot be looked at, so it may lead anywhere";
  }
}

function danglingTarget(place: string): string | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(place) : undefined;
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
