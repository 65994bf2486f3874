import { counted } from "./counted.ts";
import { RecollectError } from "./errors.ts";
import type { Address, Resolved } from "./store.ts";

/** What a newly named segment may not be (KER-1). Rules are data: the first that matches names the refusal. */
interface SegmentRule {
  readonly rule: string;
  readonly says: string;
  readonly refuses: (segment: string) => boolean;
}

const maxSegmentBytes = 200;
export const maxSegments = 16;

/** The folder in which the files store keeps locks, journals and superseded revisions. */
export const auxiliaryFolder = ".recollect";

/** The folder in which agents keep files of their own; with a marker in it, no other store reaches into it. */
export const sealedFolder = "agent_memory";

// Windows opens a device for these stems whatever the extension; the superscript digits count as digits there.
const devices = "(?:con|prn|aux|nul|conin\\$|conout\\$|clock\\$|com[0-9¹²³]|lpt[0-9¹²³])";
const windowsReserved = new RegExp(`^${devices}\\s*(?:\\.|$)`, "i");
// 8.3 aliases under which NTFS also finds `.git` and `.recollect`.
const shortAlias = /^(git|recoll)~[0-9]+$/i;
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
const plainName = `(?!${devices}(?:[./]|$))[a-z0-9_][a-z0-9_-]*(?:\\.[a-z0-9_-]+)*`;
const plainNewPath = new RegExp(`^${plainName}(?:/${plainName}){0,${maxSegments - 1}}$`, "i");
const reservedFolder = /^\.(git|recollect)$/i;

export const segmentRules: readonly SegmentRule[] = [
  { rule: "empty-segment", says: "is empty", refuses: (s) => s === "" },
  { rule: "dot-segment", says: "is “.” or “..”", refuses: (s) => s === "." || s === ".." },
  { rule: "ill-formed", says: "is not well-formed Unicode", refuses: (s) => !s.isWellFormed() },
  { rule: "control", says: "holds a control character", refuses: (s) => controls.test(s) },
  { rule: "bidi", says: "holds a character that changes the reading direction", refuses: (s) => bidi.test(s) },
  { rule: "invisible", says: "holds an invisible character", refuses: (s) => ignorable.test(s) },
  { rule: "backslash", says: "holds a backslash; use “/” between folders", refuses: (s) => s.includes("\\") },
  { rule: "reserved-character", says: 'holds one of < > : " | ? *', refuses: (s) => /[<>:"|?*]/.test(s) },
  { rule: "leading-dot", says: "begins with a dot", refuses: (s) => s.startsWith(".") },
  { rule: "leading-dash", says: "begins with a dash", refuses: (s) => s.startsWith("-") },
  { rule: "leading-tilde", says: "begins with a tilde", refuses: (s) => s.startsWith("~") },
  { rule: "trailing-dot", says: "ends with a dot", refuses: (s) => s.endsWith(".") },
  { rule: "trailing-blank", says: "ends with a blank", refuses: (s) => /\p{White_Space}$/u.test(s) },
  { rule: "normalisation", says: "is not in Unicode form NFC", refuses: (s) => s !== s.normalize("NFC") },
  { rule: "windows-reserved", says: "is a device name on Windows", refuses: isWindowsReserved },
  { rule: "reserved-place", says: "is another spelling of a reserved folder", refuses: (s) => shortAlias.test(s) },
  {
    rule: "segment-length",
    says: `is longer than ${maxSegmentBytes} bytes`,
    refuses: (s) => Buffer.byteLength(s) > maxSegmentBytes,
  },
  { rule: "encoded", says: "turns into another path when it is decoded", refuses: hidesPathWhenDecoded },
];

/** The usual kind of path, which breaks no rule. Most are, and thousands are asked about at once. */
function isPlainPath(path: string): boolean {
  return path.length <= maxSegmentBytes && plainNewPath.test(path);
}

function isWindowsReserved(segment: string): boolean {
  return windowsReserved.test(segment);
}

/**
 * A name such as `%2e%2e%2f` or `．．／` is harmless as it stands and an escape as soon as any layer in
 * front of or behind us decodes, normalises or trims it once more, so a name that decodes to a path, to
 * a reserved folder or to a device is no name.
 */
function hidesPathWhenDecoded(segment: string): boolean {
  // Every round takes escapes away, and the length of a segment is checked before, so this ends soon.
  for (let text = segment; ; ) {
    const decoded = percentDecode(text.normalize("NFKC").trim());
    if (decoded === text) return false;
    if (decoded === undefined || isPathLike(decoded)) return true;
    text = decoded;
  }
}

function percentDecode(text: string): string | undefined {
  const unicode = text.replace(/%u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!unicode.includes("%")) return unicode;
  try {
    return decodeURIComponent(unicode.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    return undefined;
  }
}

function isPathLike(text: string): boolean {
  return /[/\\\p{Cc}]/u.test(text) || /^\.*$/.test(text) || reservedFolder.test(text) || isWindowsReserved(text);
}

declare const existing: unique symbol;
declare const strict: unique symbol;

/** Printable ASCII that does not begin with a dot: nothing that folds to a reserved folder. */
const plainAscii = /^[\x20-\x2d\x2f-\x7e][\x20-\x7e]*$/;

/** The usual kind of path to look up, which `parseExistingPath` refuses for nothing. */
const plainExistingPath = /^\w[\w .-]*(?:\/\w[\w .-]*)*$/;

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
  if (plainExistingPath.test(text)) return text as ExistingPath;
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

const made = new WeakSet<Address>();

/** For stores alone, once the path is checked and its root found. Frozen, since a caller may keep it while an operation waits. */
export function toResolved(root: string, path: ExistingPath): Resolved {
  const at = Object.freeze({ root, path }) as Resolved;
  made.add(at);
  return at;
}

/**
 * Refuses an address that no store resolved, and parses nothing. The brand is a promise of the type system alone; a
 * caller in plain JavaScript never made it.
 */
export function assertResolved(at: Address): void {
  if (made.has(at)) return;
  throw new RecollectError(
    "INVALID_ARGUMENT",
    "This address was not resolved. Give it to the store's “resolve” first.",
  );
}
