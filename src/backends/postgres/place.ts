import { RecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";

/** Where a document lies in the tables. */
export interface Place {
  readonly space: string;
  readonly path: string;
}

/** How a place is called in sets and maps. */
export function keyIn(space: string, path: string): string {
  return `${space}\0${path}`;
}

/** Places, and whether others are the same, above or below: no path is a document and a folder at once. */
interface NearPlaces {
  isNear(places: readonly Place[]): boolean;
  add(places: readonly Place[]): void;
}

export function createNearPlaces(): NearPlaces {
  const [at, above] = [new Set<string>(), new Set<string>()];
  return {
    isNear: (places) =>
      places.some((place) => {
        const key = keyIn(place.space, place.path);
        return at.has(key) || above.has(key) || foldersAbove(place).some((folder) => at.has(folder));
      }),
    add: (places) => {
      for (const place of places) {
        at.add(keyIn(place.space, place.path));
        for (const folder of foldersAbove(place)) above.add(folder);
      }
    },
  };
}

function foldersAbove({ space, path }: Place): readonly string[] {
  return foldersOf(path).map((folder) => keyIn(space, folder));
}

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
