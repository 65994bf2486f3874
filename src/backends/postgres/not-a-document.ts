import { RecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";

/** No path is a document and a folder at once: plain folders could not hold it (PG-3). */
export function isFolder({ root, path }: Address): RecollectError {
  return new RecollectError("NOT_A_DOCUMENT", `“${path}” is a folder, not a document.`, {
    data: { root, path, reason: "folder" },
  });
}

/** A document stands where a path goes through, or where a folder is asked for. */
export function isNoFolder({ root, path }: Address, document: string): RecollectError {
  return new RecollectError("NOT_A_DOCUMENT", `“${document}” is a document, not a folder.`, {
    data: { root, path, folder: document, reason: "file" },
  });
}

/** The paths of all folders that a path goes through, the outermost first. */
export function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}
