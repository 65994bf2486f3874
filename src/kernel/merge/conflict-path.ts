import { revisionOf } from "../revision.ts";
import { bytesOf, type Content } from "./tree.ts";

const maxSegmentBytes = 200;
/** The shortest id first; a longer one where that name is taken by something else. */
const idLengths = [8, 16, 32];
const pattern = /^(.*)\.conflict-[0-9a-f]{8,32}(\.[^./]*)?$/s;

/**
 * The name under which the other version of a document is kept beside it: `build.md` → `build.conflict-1a2b3c4d.md`.
 * It comes from the content alone, so every clone gives the same one, and gives it once.
 */
export function conflictPath(path: string, content: Content, isFree: (path: string) => boolean): string {
  const original = originalOfConflict(path) ?? path;
  const slash = original.lastIndexOf("/") + 1;
  const name = original.slice(slash);
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const rev = revisionOf(bytesOf(content));
  const paths = idLengths.map((length) => {
    const end = `.conflict-${rev.slice(0, length)}${extension}`;
    return `${original.slice(0, slash)}${shorten(stem, maxSegmentBytes - Buffer.byteLength(end))}${end}`;
  });
  return paths.find(isFree) ?? (paths.at(-1) as string);
}

/** The document that a conflict document is another version of, as far as its name tells; undefined for any other. */
export function originalOfConflict(path: string): string | undefined {
  const [, stem, extension = ""] = pattern.exec(path.slice(path.lastIndexOf("/") + 1)) ?? [];
  return stem ? `${path.slice(0, path.lastIndexOf("/") + 1)}${stem}${extension}` : undefined;
}

/** Whole characters, up to so many bytes. */
function shorten(text: string, bytes: number): string {
  let [short, size] = ["", 0];
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    short += character;
  }
  return short;
}
