import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path/posix";
import { type ExistingPath, isExistingPath } from "../../core/document-path.ts";
import { isRecollectError, RecollectError } from "../../core/errors.ts";
import type { Address, ChangePage, ChangeRecord, Cursor } from "../../core/store.ts";
import { auxiliaryNames, isKept, isStagedName, openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { dropClosedSegments, dropJournal, type JournalPosition, type JournalSlice, readJournal } from "./journal.ts";
import type { JournalRecord } from "./journal-record.ts";
import { isObject, parseJson } from "./json.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { walkFolders } from "./walk-folders.ts";

/** Where a follower stands in the journal of each folder, by root and folder path. */
type Positions = Readonly<Record<string, JournalPosition>>;

/** The journals of all folders as one feed: in order for each document, which never changes its folder unseen. */
export function readChanges(roots: RootFolders, after: Cursor | undefined, limit: number): ChangePage {
  const positions = after === undefined ? {} : parseCursor(after);
  // A folder that is away for the moment keeps its position.
  const reached: Record<string, JournalPosition> = { ...positions };
  const records: ChangeRecord[] = [];
  let [more, gap] = [false, false];
  for (const { place, folder, hasAuxiliary } of walkFolders(roots)) {
    const key = keyOf(place);
    const from = positions[key];
    const slice = hasAuxiliary ? readOrGap(folder, from, limit - records.length) : undefined;
    gap ||= slice === "gap";
    if (!slice || slice === "gap") continue;
    reached[key] = slice.end;
    more ||= slice.more;
    gap ||= slice.gap;
    records.push(...slice.records.map((record) => toChange(record, place, roots)));
  }
  return { records, cursor: toCursor(reached), more, gap };
}

/** Drops what history has taken over from one folder, with the folder's lock held. */
export function releaseFolder(auxiliary: Directory, upTo: JournalPosition, stayingBytes = 0): void {
  const later = readJournal(auxiliary, upTo, Number.POSITIVE_INFINITY);
  // Another journal than the one that was consumed, or parts of it are gone: nothing here was taken over for sure.
  if (!later || later.gap) return;
  const wanted = new Set(
    later.records.flatMap(({ rev, was }) => [rev, was]).flatMap((rev) => (rev ? [auxiliaryNames.kept(rev)] : [])),
  );
  for (const name of readdirSync(auxiliary.at("."))) {
    if (isKept(name) && !wanted.has(name)) rmSync(auxiliary.at(name), { force: true });
  }
  dropJournal(auxiliary, upTo, stayingBytes);
}

/**
 * Drops what was superseded in one folder, where nobody takes it over, and what killed processes staged. With its lock
 * held, after a commit.
 */
export function forgetFormer(auxiliary: Directory): void {
  for (const name of readdirSync(auxiliary.at("."))) {
    if (isKept(name) || isStagedName(name)) rmSync(auxiliary.at(name), { force: true });
  }
  dropClosedSegments(auxiliary);
}

export function positionsOf(cursor: Cursor): readonly (readonly [Place, JournalPosition])[] {
  return Object.entries(parseCursor(cursor)).map(([key, position]) => [placeOfKey(key), position]);
}

/** One folder with a journal that is none must not hide the changes of all others. */
function readOrGap(
  folder: Directory,
  from: JournalPosition | undefined,
  limit: number,
): JournalSlice | "gap" | undefined {
  try {
    return withAuxiliary(folder, (auxiliary) => readJournal(auxiliary, from, limit));
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_ALLOWED") return "gap";
    throw error;
  }
}

function toChange(record: JournalRecord, place: Place, roots: RootFolders): ChangeRecord {
  const { name, other, link: _, ...rest } = record;
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

function toCursor(positions: Positions): Cursor {
  return Buffer.from(JSON.stringify({ format: 1, positions })).toString("base64url") as Cursor;
}

/** A cursor comes back from a caller, who may have made it up: names in it are checked like any others. */
function parseCursor(cursor: Cursor): Positions {
  const parsed = parseJson(Buffer.from(String(cursor), "base64url").toString("utf8"));
  const positions = isObject(parsed) && parsed["format"] === 1 ? parsed["positions"] : undefined;
  if (!isObject(positions) || !Object.values(positions).every(isPosition)) throw notACursor();
  for (const key of Object.keys(positions)) placeOfKey(key);
  return positions as Positions;
}

function placeOfKey(key: string): Place {
  const parsed = parseJson(key);
  if (!Array.isArray(parsed) || !parsed.every((part) => typeof part === "string")) throw notACursor();
  const [root = "", ...segments] = parsed as string[];
  if (segments.length > 0 && !isExistingPath(segments.join("/"))) throw notACursor();
  return { root, segments };
}

/** A position comes back from whoever kept it, who may have made it up. */
export function isPosition(value: unknown): boolean {
  if (!isObject(value) || typeof value["journal"] !== "string" || typeof value["mark"] !== "string") return false;
  return [value["segment"], value["offset"]].every((one) => Number.isSafeInteger(one) && Number(one) >= 0);
}

function notACursor(): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", "This is not a cursor of the change feed. Begin without one.");
}
