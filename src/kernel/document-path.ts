import { counted } from "./counted.ts";
import { RecollectError } from "./errors.ts";
import { auxiliaryFolder, isPlainPath, maxSegments, segmentRules } from "./path-rules.ts";

declare const existing: unique symbol;
declare const strict: unique symbol;

/** Printable ASCII that does not begin with a dot: nothing that folds to a reserved folder. */
const plainAscii = /^[\x20-\x2d\x2f-\x7e][\x20-\x7e]*$/;

/** The usual kind of path to look up, which breaks none of the rules below. */
const plainPath = /^\w[\w .-]*(?:\/\w[\w .-]*)*$/;

/** A path that may be looked up: it cannot leave its root, but may carry a name that we would not give. */
export type ExistingPath = string & { readonly [existing]: true };

/** A path that may be newly named (KER-1). Every document path is an existing path. */
export type DocumentPath = ExistingPath & { readonly [strict]: true };

/** Checks a path for what is newly named. Call it after the last transformation of the name. */
export function parseDocumentPath(text: string, most = maxSegments): DocumentPath {
  refuseNoText(text);
  // It counts as many as are usual; where fewer may be, such as in the id of an agent, each is counted below.
  if (most >= maxSegments && isPlainPath(text)) return text as DocumentPath;
  if (/^[/\\]|^[A-Za-z]:/.test(text)) throw invalid("absolute", "it is absolute");
  const segments = text.split("/");
  if (segments.length > most) throw invalid("too-deep", `it has more than ${counted(most, "segment")}`);
  for (const [index, segment] of segments.entries()) {
    const broken = segmentRules.find((rule) => rule.refuses(segment));
    if (broken) throw invalidSegment(broken.rule, index, segments, broken.says);
  }
  return text as DocumentPath;
}

/** A path below a folder that a facade puts in front, such as the folder of an agent. */
export function inFolder<Path extends ExistingPath>(folder: DocumentPath, path: Path): Path {
  return `${folder}/${path}` as Path;
}

/** What the kernel accepts: one folder more than a caller may name, for `inFolder`. */
export const maxKernelSegments = maxSegments + 1;

/** The same address, refused where its path may not be newly named. */
export function asNewName<At extends { readonly path: ExistingPath }>(at: At): At & { readonly path: DocumentPath } {
  parseDocumentPath(at.path, maxKernelSegments);
  return at as At & { readonly path: DocumentPath };
}

/**
 * Checks a path for looking up what is there already. Names that KER-1 refuses pass, as long as no
 * segment can lead out of the root (KER-2); `.git` and our own auxiliary folder are never documents.
 */
export function parseExistingPath(text: string): ExistingPath {
  refuseNoText(text);
  if (plainPath.test(text)) return text as ExistingPath;
  if (/^[/\\]|^[A-Za-z]:[/\\]/.test(text)) throw invalid("absolute", "it is absolute");
  const segments = text.split("/");
  for (const [index, segment] of segments.entries()) {
    const refused = (rule: string, says: string) => invalidSegment(rule, index, segments, says);
    if (segment === "" || segment === "." || segment === "..") throw refused("dot-segment", "is empty, “.” or “..”");
    if (!segment.isWellFormed()) throw refused("ill-formed", "is not well-formed Unicode");
    if (segment.includes("\0")) throw refused("control", "holds a NUL character");
    if (isReservedFolder(segment)) throw refused("reserved-place", "is a reserved folder");
  }
  return text as ExistingPath;
}

export function isExistingPath(text: string): text is ExistingPath {
  return ruleBrokenBy(text, parseExistingPath) === undefined;
}

/** The rule that a name already on disk breaks, or undefined for a proper one. */
export function brokenRule(path: string): string | undefined {
  return ruleBrokenBy(path, (text) => parseDocumentPath(text, maxKernelSegments));
}

function ruleBrokenBy(path: string, parse: (text: string) => unknown): string | undefined {
  try {
    parse(path);
    return undefined;
  } catch (error) {
    if (error instanceof RecollectError && error.code === "INVALID_PATH") return String(error.data["rule"]);
    throw error;
  }
}

export function isReservedFolder(segment: string): boolean {
  if (plainAscii.test(segment)) return false;
  const folded = segment
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return folded === ".git" || folded === auxiliaryFolder;
}

/** Order of listings: by code point over the whole path, the order of PostgreSQL's "C" collation. */
export function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return left.length - right.length;
  return lifted(left.charCodeAt(at)) - lifted(right.charCodeAt(at));
}

/** A surrogate stands for a code point above every other UTF-16 unit. */
function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Callers in plain JavaScript may pass anything. */
function refuseNoText(text: unknown): void {
  if (typeof text !== "string") throw invalid("no-text", "it is not a text");
  if (text === "") throw invalid("empty", "it is empty");
}

/**
 * Says which segment, and never what it is: these rules are asked before the guard, and a name may be a secret with
 * an invisible character in it (GUARD-3).
 */
function invalidSegment(rule: string, index: number, segments: readonly string[], says: string): RecollectError {
  const which = segments.length === 1 ? "it" : `segment ${index + 1} of ${segments.length}`;
  return invalid(rule, `${which} ${says}`, { segment: index + 1 });
}

function invalid(rule: string, why: string, place: { readonly segment?: number } = {}): RecollectError {
  return new RecollectError("INVALID_PATH", `Invalid path: ${why}. Give a relative path such as notes/build.md.`, {
    data: { rule, ...place },
  });
}
