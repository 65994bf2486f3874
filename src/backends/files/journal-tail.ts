import { closeSync, fstatSync, readSync } from "node:fs";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";
import { openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type JournalRecord, parseRecord } from "./journal-record.ts";
import { closedSegments, openForReading } from "./journal-segment.ts";
import { parseAddress, type RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";

const tailBytes = 8 * 1024;

/** The last records of a folder's journal, oldest first, at the cost of one short read; takes no lock. */
export function readJournalTail(auxiliary: Directory): readonly JournalRecord[] {
  const newest = readTail(openForReading(auxiliary));
  if (newest.length > 0) return newest;
  // It has just begun: then the one before it tells.
  const last = closedSegments(auxiliary).at(-1);
  return last === undefined ? [] : readTail(openForReading(auxiliary, last));
}

function readTail(descriptor: number | undefined): readonly JournalRecord[] {
  if (descriptor === undefined) return [];
  try {
    const { size } = fstatSync(descriptor);
    const length = Math.min(size, tailBytes);
    const bytes = Buffer.alloc(length);
    const read = readSync(descriptor, bytes, 0, length, size - length);
    // The first and the last line may be cut; what is not whole is no record.
    return bytes
      .toString("utf8", 0, read)
      .split("\n")
      .flatMap((line) => parseRecord(line) ?? []);
  } finally {
    closeSync(descriptor);
  }
}

/** What the journal of its folder last says of a document, as far as its end still tells: one short read. */
export function lastRecordOf(at: Address, roots: RootFolders): JournalRecord | undefined {
  const { place, name } = parseAddress(at);
  let folder: Directory | undefined;
  let auxiliary: Directory | undefined;
  try {
    folder = roots.isPlain(place) ? undefined : roots.open(place, "listed");
    auxiliary = folder && openAuxiliary(folder);
    return auxiliary && readJournalTail(auxiliary).findLast((record) => record.name === name);
  } catch (error) {
    // The author is unknown then, which is no reason for the request to fail.
    if (isRecollectError(error) || hasCode(error, "EACCES", "EPERM", "ENOENT")) return undefined;
    throw error;
  } finally {
    auxiliary?.close();
    folder?.close();
  }
}
