/** What stands above our lines, so that people know where they are from. */
const remark = "# Memories are merged by entry, without conflict markers: recollect merge-driver --install";
const attribute = "merge=recollect";

/** The line by which git hands the files of a folder to the driver; `folder` is relative to the attributes file. */
function attributeLine(folder: string): string {
  const pattern = folder === "" ? "/**" : `/${folder.replace(/[\\*?[\]]/g, "\\$&")}/**`;
  // A pattern with blanks is quoted as a text of C is.
  const isQuoted = /[\s"]/.test(pattern);
  return `${isQuoted ? `"${pattern.replace(/[\\"]/g, "\\$&").replaceAll("\t", "\\t").replaceAll("\n", "\\n")}"` : pattern} ${attribute}`;
}

/** With a line for each folder; everything else stays as it is. */
export function withAttributes(text: string, folders: readonly string[]): string {
  const present = new Set(linesOf(text).map((line) => line.trim()));
  const missing = folders.map(attributeLine).filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const lines = linesOf(text);
  const at = lines.findLastIndex((line) => isOurs(line));
  if (at >= 0) return [...lines.slice(0, at + 1), ...missing, ...lines.slice(at + 1)].join("\n");
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${gap}${[remark, ...missing, ""].join("\n")}`;
}

/** Without any line of ours; a line that people wrote loses what is ours in it. */
export function withoutAttributes(text: string): string {
  return linesOf(text)
    .filter((line) => line.trim() !== remark && !isOurs(line))
    .map((line) => (line.startsWith("#") ? line : line.replace(/[ \t]+merge=recollect(?=\s|$)/g, "")))
    .join("\n");
}

/** Whether any file is handed to the driver. */
export function namesDriver(text: string): boolean {
  return linesOf(text).some((line) => !line.startsWith("#") && /[ \t]merge=recollect(?=\s|$)/.test(line));
}

/** A pattern, and nothing but our attribute. */
function isOurs(line: string): boolean {
  return /^(?!#)(?:"(?:[^"\\]|\\.)*"|\S+)[ \t]+merge=recollect\s*$/.test(line);
}

function linesOf(text: string): string[] {
  return text.split("\n");
}
