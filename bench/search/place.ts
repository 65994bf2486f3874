import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** A project of its own and a user of its own: nothing of whoever runs the bench. */
export interface Place {
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where the notes lie, and where their indexes are kept. */
  readonly notes: string;
  readonly indexes: string;
}

/** Where two changes within one tick of a file system's clock cannot be told apart, an index looks twice. */
const settleMs = 200;

export async function makePlace(
  folder: string,
  notes: Iterable<{ readonly path: string; readonly content: string }>,
): Promise<Place> {
  const place = placeIn(folder);
  mkdirSync(place.home, { recursive: true });
  mkdirSync(place.notes, { recursive: true });
  // It marks a project, wherever the bench runs.
  mkdirSync(join(place.project, ".git"));
  const made = new Set<string>();
  for (const { path, content } of notes) {
    const file = join(place.notes, path);
    const parent = dirname(file);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(file, content);
  }
  await setTimeout(settleMs);
  return place;
}

function placeIn(folder: string): Place {
  const home = join(folder, "home");
  const project = join(folder, "project");
  return {
    project,
    home,
    env: {
      HOME: home,
      USERPROFILE: home,
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_DATA_HOME: join(home, ".local", "share"),
      PATH: process.env["PATH"] ?? "",
    },
    notes: join(project, ".serena", "memories"),
    indexes: join(home, ".cache", "recollect", "search"),
  };
}
