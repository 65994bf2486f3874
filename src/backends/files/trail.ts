import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { auxiliaryFolder, type ExistingPath, isExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Surveyed } from "../../kernel/source.ts";
import type { Look, Trail, TrailPage, TrailPositions, TrailRecord } from "../../kernel/trail.ts";
import { auxiliaryNames, ensureAuxiliary, exists, hasIntent, isKept, openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readDocumentFile } from "./document-file.ts";
import type { FolderLocks } from "./folder-locks.ts";
import { isPosition, type JournalPosition, type JournalSlice, readJournal, stayingBytes } from "./journal.ts";
import type { JournalRecord } from "./journal-record.ts";
import { readKept } from "./kept-revisions.ts";
import { openLockFile } from "./lock-file.ts";
import { createOpenFolders, holdFolders } from "./open-folders.ts";
import { recoverFolder } from "./recovery.ts";
import { releaseFolder } from "./release-folder.ts";
import { type Place, parseAddress, type RootFolders } from "./root-folders.ts";
import { hasCode, staleError, toStorageError } from "./storage-error.ts";
import { surveyFolders } from "./survey-folders.ts";
import { mayChangeUnseen, stampOf } from "./survey-stamp.ts";
import { createTrailEvidence, orUndefined, positionIn, unknowable } from "./trail-evidence.ts";
import { walkBelow } from "./walk-folders.ts";

export interface FilesTrailOptions {
  readonly roots: RootFolders;
  readonly root: string;
  readonly locks: FolderLocks;
  readonly now: () => number;
}

/** Larger files that people put beside their notes are left out of history. */
const maxBytes = 128 * 1024 * 1024;
const maxAttempts = 10;
/** History looks in the background: a few hundred files are a millisecond. */
const surveyedAtOnce = 200;

/** A root of folders as history follows it. Looks at documents as safely as the store itself. */
export function openFilesTrail({ roots, root, locks, now }: FilesTrailOptions): Trail {
  const rootPlace: Place = { root, segments: [] };
  const historyOf = (place: Place) => join(roots.realPath(place), auxiliaryFolder, auxiliaryNames.history);
  const placeOfFolder = (folder: string): Place => ({ root, segments: folder === "" ? [] : folder.split("/") });

  /** Whoever keeps a history of its own further down owns what is there, also where this store does not know it. */
  function isOthers(place: Place): boolean {
    if (place.segments.length === 0) return false;
    if (roots.owned(place).root !== root) return true;
    return orUndefined(() => lstatSync(historyOf(place), { throwIfNoEntry: false }))?.isDirectory() ?? false;
  }

  function* ownFolders(): Generator<{ place: Place; folder: Directory }> {
    let passedOver: string | undefined;
    for (const { place, folder, hasAuxiliary } of walkBelow(rootPlace, roots)) {
      const path = `${place.segments.join("/")}/`;
      if (passedOver !== undefined && path.startsWith(passedOver)) continue;
      if (isOthers(place)) passedOver = path;
      else if (hasAuxiliary) yield { place, folder };
    }
  }

  async function records(after: TrailPositions): Promise<TrailPage> {
    const found: TrailRecord[] = [];
    const positions: Record<string, JournalPosition> = {};
    const gaps: string[] = [];
    const places: Place[] = [];
    for (const { place, folder } of ownFolders()) if (hasNews(folder, positionIn(after, place))) places.push(place);
    for (const place of places) {
      const slice = await readQuiet(place, positionIn(after, place));
      if (!slice) continue;
      const folder = place.segments.join("/");
      positions[folder] = slice.end;
      if (slice.gap) gaps.push(folder);
      found.push(...slice.found);
    }
    return { records: found, positions, gaps };
  }

  /** Reads with the folder's lock held, so that no line in it is about to take effect. */
  async function readQuiet(place: Place, from: JournalPosition | undefined) {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await inHeldFolder(place, (folder, auxiliary) => {
        if (hasIntent(folder)) return "cut off";
        const slice = readJournal(auxiliary, from, Number.POSITIVE_INFINITY);
        return slice && { ...slice, found: toRecords(slice, place, folder) };
      });
      if (answer !== "cut off") return answer;
      if (attempt === maxAttempts) throw staleError("a cut-off commit cannot be brought to its end");
      await recoverFolder(place, { roots, hold: (open) => holdFolders(open, locks) });
    }
  }

  /** Undefined where it is gone, or not ours to lock: whoever may write there records it. */
  async function inHeldFolder<Result>(
    place: Place,
    use: (folder: Directory, auxiliary: Directory) => Result,
  ): Promise<Result | undefined> {
    const folders = createOpenFolders(roots);
    try {
      const open = folders.open(place);
      const held = open && (await holdFolders([open], locks));
      if (!open || !held) return undefined;
      try {
        return use(open.folder, held.part(open).auxiliary);
      } finally {
        held.release();
      }
    } catch (error) {
      if (hasCode(error, "READ_ONLY", "PERMISSION_DENIED", "NOT_A_DOCUMENT", "EACCES", "EPERM")) return undefined;
      throw error;
    } finally {
      folders.close();
    }
  }

  function toRecords({ records: all, lines }: JournalSlice, place: Place, folder: Directory): TrailRecord[] {
    const next = new Map<string, JournalRecord>();
    const isVoid = all.map(() => false);
    for (const [index, record] of [...all.entries()].reverse()) {
      const later = next.get(record.name);
      if (record.rev === undefined) {
        isVoid[index] = later ? later.was !== undefined : exists(folder, record.name);
      }
      if (!isVoid[index]) next.set(record.name, record);
    }
    return all.map((record, index) => toRecord(record, lines[index] ?? "", place, isVoid[index] ?? false));
  }

  function toRecord(record: JournalRecord, line: string, place: Place, isVoid: boolean): TrailRecord {
    const { name, other, link: _, ...rest } = record;
    const end = other === undefined ? undefined : roots.placeOf(join(roots.realPath(place), other));
    const otherPath = end?.root === root ? end.segments.join("/") : "";
    return {
      ...rest,
      path: [...place.segments, name].join("/") as ExistingPath,
      folder: place.segments.join("/"),
      rev: record.rev,
      was: record.was,
      ...(isExistingPathOrNone(otherPath) ? { other: otherPath } : {}),
      line,
      isVoid,
    };
  }

  function inFolderOf<Result>(
    path: ExistingPath,
    use: (folder: Directory, name: string) => Result,
  ): Result | undefined {
    const { place, name } = parseAddress({ root, path });
    const folder = roots.open(place);
    try {
      return folder && use(folder, name);
    } finally {
      folder?.close();
    }
  }

  function look(path: ExistingPath): Look {
    if (isOthers(parseAddress({ root, path }).place)) return { kind: "unknown" };
    try {
      return inFolderOf(path, lookAt) ?? { kind: "gone" };
    } catch (error) {
      if (error instanceof RecollectError && ["folder", "file"].includes(String(error.data["reason"]))) {
        return { kind: "gone" };
      }
      if (hasCode(error, ...unknowable)) return { kind: "unknown" };
      throw error;
    }
  }

  function lookAt(folder: Directory, name: string): Look {
    const before = now();
    const first = lstatSync(folder.at(name), { throwIfNoEntry: false });
    const file = first && readDocumentFile(folder, name, maxBytes);
    if (!first || !file) return { kind: "gone" };
    const last = lstatSync(folder.at(name), { throwIfNoEntry: false });
    const isSure = last && stampOf(first) === stampOf(last) && !mayChangeUnseen(last, before);
    return { kind: "document", bytes: file.bytes, stamp: isSure ? stampOf(last) : 0 };
  }

  function bytesOf(path: ExistingPath, rev: Rev): Uint8Array | undefined {
    const kept = () => orUndefined(() => inFolderOf(path, (folder) => keptIn(folder, rev)));
    const before = kept();
    if (before) return before;
    const current = orUndefined(() => inFolderOf(path, (folder, name) => readDocumentFile(folder, name, maxBytes)));
    // Once more: it may have been superseded, and so kept, between the two looks.
    return current?.rev === rev ? current.bytes : kept();
  }

  function* survey(onTooLarge?: (path: string) => void): Generator<Surveyed> {
    const folder = roots.open(rootPlace);
    if (!folder) return;
    const isOwn = (path: string) => !isOthers(placeOfFolder(path));
    const bounds = { maxBytes, atOnce: surveyedAtOnce };
    const surveying = { ...bounds, isDocument: isExistingPath, isOwn, onShared: () => {}, onTooLarge };
    try {
      for (const { documents } of surveyFolders(folder, "", surveying)) yield* documents;
    } catch (error) {
      throw toStorageError(error, "look for documents");
    } finally {
      folder.close();
    }
  }

  function kindOfPlace(): "folder" | "other" | undefined {
    const folder = roots.open(rootPlace);
    let auxiliary: Directory | undefined;
    try {
      // Opened and not only looked at: a link in its place is not followed.
      auxiliary = folder && openAuxiliary(folder);
      const found = auxiliary && lstatSync(auxiliary.at(auxiliaryNames.history), { throwIfNoEntry: false });
      return found && (found.isDirectory() ? "folder" : "other");
    } catch (error) {
      throw toStorageError(error, `look for the history of “${root}”`);
    } finally {
      auxiliary?.close();
      folder?.close();
    }
  }

  return {
    root,
    refusal: () => {
      if (roots.isPlain(rootPlace)) return `“${root}” holds files that are no memory, and has no history.`;
      if (roots.isReadOnly(rootPlace)) return `“${root}” is read-only, so no history is kept of it.`;
      return undefined;
    },
    existingPlace: () => (kindOfPlace() === "folder" ? historyOf(rootPlace) : undefined),
    tooLarge: () => {
      const found: string[] = [];
      for (const _ of survey((path) => found.push(path)));
      return found;
    },
    isPlaceTaken: () => kindOfPlace() === "other",
    place: () => {
      const folder = roots.open(rootPlace);
      if (!folder) throw new RecollectError("NOT_FOUND", `The folder of “${root}” does not exist.`, { data: { root } });
      try {
        ensureAuxiliary(folder).close();
        return historyOf(rootPlace);
      } catch (error) {
        throw toStorageError(error, `keep a history of “${root}”`);
      } finally {
        folder.close();
      }
    },
    tryAlone: (work = "record") => {
      const folders = createOpenFolders(roots);
      const opened: Directory[] = [];
      const close = () => {
        for (const one of opened) one.close();
        folders.close();
      };
      try {
        const open = folders.open(rootPlace);
        if (!open) throw new RecollectError("NOT_FOUND", `The folder of “${root}” does not exist.`, { data: { root } });
        const auxiliary = ensureAuxiliary(open.folder);
        opened.push(auxiliary);
        const aliases = open.shallow && ensureAuxiliary(open.shallow);
        if (aliases) opened.push(aliases);
        const lock = openLockFile(auxiliary, lockNames[work], aliases);
        if (lock.tryAlone()) {
          return {
            release: () => {
              lock.release();
              lock.close();
              close();
            },
          };
        }
        lock.close();
      } catch (error) {
        close();
        throw toStorageError(error, `keep a history of “${root}”`);
      }
      close();
      return undefined;
    },
    records,
    bytesOf,
    survey,
    look,
    ...createTrailEvidence({ roots, root, ownFolders, inHeldFolder, toRecords }),
    release: async (upTo) => {
      for (const [folder, position] of Object.entries(upTo)) {
        if (!isPosition(position) || !hasLeftOver(placeOfFolder(folder), roots)) continue;
        await inHeldFolder(placeOfFolder(folder), (_, auxiliary) => releaseFolder(auxiliary, position));
      }
    },
  };
}

const lockNames = { record: auxiliaryNames.historyLock, sync: auxiliaryNames.syncLock } as const;

function isExistingPathOrNone(path: string): path is ExistingPath {
  return path !== "" && isExistingPath(path);
}

/** Without a lock: a line that comes a moment later is there the next time. */
function hasNews(folder: Directory, from: JournalPosition | undefined): boolean {
  const auxiliary = orUndefined(() => openAuxiliary(folder));
  try {
    const slice = auxiliary && readJournal(auxiliary, from, 1);
    return slice !== undefined && (slice.gap || slice.records.length > 0);
  } catch (error) {
    if (hasCode(error, "NOT_ALLOWED", "EACCES", "EPERM")) return false;
    throw error;
  } finally {
    auxiliary?.close();
  }
}

function keptIn(folder: Directory, rev: Rev): Uint8Array | undefined {
  const auxiliary = openAuxiliary(folder);
  try {
    return auxiliary && readKept(auxiliary, rev);
  } finally {
    auxiliary?.close();
  }
}

function hasLeftOver(place: Place, roots: RootFolders): boolean {
  const folder = orUndefined(() => roots.open(place));
  const auxiliary = folder && orUndefined(() => openAuxiliary(folder));
  try {
    const names = auxiliary ? readdirSync(auxiliary.at(".")) : [];
    return names.some((name) => isKept(name) || /^journal-[0-9]+$/.test(name)) || isLarge(auxiliary);
  } finally {
    auxiliary?.close();
    folder?.close();
  }
}

function isLarge(auxiliary: Directory | undefined): boolean {
  const stat = auxiliary && lstatSync(auxiliary.at(auxiliaryNames.journal), { throwIfNoEntry: false });
  return (stat?.size ?? 0) > stayingBytes;
}
