import { foldersOf } from "./not-a-document.ts";

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
export interface NearPlaces {
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
