/** What a newly named segment may not be (KER-1). Rules are data: the first that matches names the refusal. */
export interface SegmentRule {
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
const plainPath = new RegExp(`^${plainName}(?:/${plainName}){0,${maxSegments - 1}}$`, "i");
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
export function isPlainPath(path: string): boolean {
  return path.length <= maxSegmentBytes && plainPath.test(path);
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
