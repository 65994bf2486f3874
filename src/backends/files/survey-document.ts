import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, lstatSync, openSync, type Stats } from "node:fs";
import type { SourceDocument } from "../../kernel/source.ts";
import type { Directory } from "./directory.ts";
import { readAll, readDocumentFile, readFlags } from "./document-file.ts";
import { isOpenLock } from "./lock-file.ts";
import { hasCode } from "./storage-error.ts";
import { mayChangeUnseen, stampOf } from "./survey-stamp.ts";

export interface DocumentReading {
  readonly maxBytes: number;
  readonly now: () => number;
  /** Told of a file with several names, which can change without a word to this folder. */
  readonly onShared: (stat: Stats) => void;
  /** Told of a document that is there and may not be read. */
  readonly onRefused: () => void;
}

/** A file that is written to all the time is taken as it is after this many tries, with a stamp that fits nothing. */
const maxAttempts = 3;

/** Text and stamp of the same bytes. Undefined for everything that is no readable document. */
export function readSurveyed(folder: Directory, name: string, reading: DocumentReading): SourceDocument | undefined {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const before = reading.now();
    const met = readOnce(folder, name, reading);
    if (met === "none") return undefined;
    if (met === "changing") continue;
    const { bytes, stat } = met;
    if (stat.nlink > 1) reading.onShared(stat);
    const isForeign = stat.nlink > 1 && BigInt(stat.uid) !== folder.stat().uid;
    const text = isForeign ? textByKernel(folder, name, reading) : textOf(bytes);
    // Of a foreign file the kernel has read once more: the bytes may be later ones than the stamp's.
    const stamp = isForeign || mayChangeUnseen(stat, before) ? 0 : stampOf(stat);
    return text === undefined ? undefined : { content: text, stamp, modified: stat.mtimeMs };
  }
  const stat = lstatSync(folder.at(name), { throwIfNoEntry: false });
  const text = stat && textByKernel(folder, name, reading);
  return text === undefined ? undefined : { content: text, stamp: 0, modified: stat?.mtimeMs ?? 0 };
}

/** Five system calls: half of the time of the kernel's reading, which also takes the revision. */
function readOnce(folder: Directory, name: string, { maxBytes, onRefused }: DocumentReading): ReadOnce {
  if (isOpenLock(folder.at(name))) return "none";
  let descriptor: number;
  try {
    descriptor = openSync(folder.at(name), readFlags);
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM")) onRefused();
    else if (!hasCode(error, "ENOENT", "ELOOP", "ENXIO", "ENODEV", "ENAMETOOLONG")) throw error;
    return "none";
  }
  try {
    const before = fstatSync(descriptor);
    if (!before.isFile() || before.size > maxBytes) return "none";
    const bytes = readAll(descriptor, before.size);
    // By name: then it is also known that the name still means this file, and that no link took its place.
    const after = lstatSync(folder.at(name), { throwIfNoEntry: false });
    folder.verify();
    const isSame = after && after.dev === before.dev && stampOf(after) === stampOf(before);
    return isSame && bytes.length === after.size ? { bytes, stat: after } : "changing";
  } finally {
    closeSync(descriptor);
  }
}

type ReadOnce = { readonly bytes: Buffer; readonly stat: Stats } | "none" | "changing";

/** Tells our own second names from foreign ones. */
function textByKernel(folder: Directory, name: string, { maxBytes, onRefused }: DocumentReading): string | undefined {
  try {
    const file = readDocumentFile(folder, name, maxBytes);
    return file && textOf(file.bytes);
  } catch (error) {
    if (hasCode(error, "NOT_A_DOCUMENT", "EACCES", "EPERM")) onRefused();
    else if (!hasCode(error, "TOO_LARGE", "ESTALE")) throw error;
    return undefined;
  }
}

function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
