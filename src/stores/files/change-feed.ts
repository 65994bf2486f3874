import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path/posix";
import { type ExistingPath, isExistingPath } from "../../core/document-path.ts";
import { RecollectError } from "../../core/errors.ts";
import type { Address, ChangePage, ChangeRecord, Cursor } from "../../core/store.ts";
import { auxiliaryNames, openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { dropJournal, type JournalPosition, type JournalRecord, readJournal } from "./journal.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { walkFolders } from "./walk-folders.ts";

/** Where a follower stands in the journal of each folder, by root and folder path. */
type Positions = Record<string, JournalPosition>;

const beginning: JournalPosition = [0, 0];

/** The journals of all folders as one feed: in order for each document, which never changes its folder unseen. */
export function readChanges(roots: RootFolders, after: Cursor | undefined, limit: number): ChangePage {
  const positions = after === undefined ? {} : parseCursor(after);
  const reached: Positions = {};
  const records: ChangeRecord[] = [];
  let more = false;
  for (const { place, folder, hasAuxiliary } of walkFolders(roots)) {
    const key = keyOf(place);
    const from = positions[key] ?? beginning;
    const room = limit - records.length;
    if (!hasAuxiliary) continue;
    const slice = withAuxiliary(folder, (auxiliary) => readJournal(auxiliary, from, room));
    if (!slice) continue;
    reached[key] = slice.end;
    more ||= slice.more;
    records.push(...slice.records.map((record) => toChange(record, place, roots)));
  }
  return { records, cursor: toCursor(reached), more };
}

/** Drops what history has taken over from one folder, with the folder's lock held. */
export function releaseFolder(auxiliary: Directory, upTo: JournalPosition): void {
  const wanted = new Set(
    readJournal(auxiliary, upTo, Number.POSITIVE_INFINITY)
      .records.flatMap(({ rev, was }) => [rev, was])
      .flatMap((rev) => (rev ? [auxiliaryNames.kept(rev)] : [])),
  );
  for (const name of readdirSync(auxiliary.at("."))) {
    if (name.startsWith("kept-") && !wanted.has(name)) rmSync(auxiliary.at(name), { force: true });
  }
  dropJournal(auxiliary, upTo);
}

export function positionsOf(cursor: Cursor): readonly (readonly [Place, JournalPosition])[] {
  return Object.entries(parseCursor(cursor)).map(([key, position]) => [placeOfKey(key), position]);
}

function toChange(record: JournalRecord, place: Place, roots: RootFolders): ChangeRecord {
  const { name, other, ...rest } = record;
  const at = addressIn(place, name);
  const end = other === undefined ? undefined : addressOf(join(roots.realPath(place), other), roots);
  return { ...rest, rev: record.rev, was: record.was, at, ...(end ? { other: end } : {}) } as ChangeRecord;
}

function addressIn(place: Place, name: string): Address {
  return { root: place.root, path: [...place.segments, name].join("/") as ExistingPath };
}

function addressOf(realPath: string, roots: RootFolders): Address | undefined {
  const place = roots.placeOf(realPath);
  const path = place?.segments.join("/") ?? "";
  return place && isExistingPath(path) ? { root: place.root, path } : undefined;
}

function withAuxiliary<Result>(folder: Directory, use: (auxiliary: Directory) => Result): Result | undefined {
  const auxiliary = openAuxiliary(folder);
  try {
    return auxiliary && use(auxiliary);
  } finally {
    auxiliary?.close();
  }
}

function keyOf(place: Place): string {
  return JSON.stringify([place.root, ...place.segments]);
}

function placeOfKey(key: string): Place {
  const [root = "", ...segments] = JSON.parse(key) as string[];
  return { root, segments };
}

function toCursor(positions: Positions): Cursor {
  return Buffer.from(JSON.stringify({ format: 1, positions })).toString("base64url") as Cursor;
}

function parseCursor(cursor: Cursor): Positions {
  try {
    const parsed = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (parsed?.format === 1 && typeof parsed.positions === "object") return parsed.positions;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RecollectError("INVALID_ARGUMENT", "This is not a cursor of the change feed. Begin without one.");
}
