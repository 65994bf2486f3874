import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { RecollectError } from "../../kernel/errors.ts";
import type { VerifyFinding } from "../../kernel/finding.ts";
import { digestOf } from "../../kernel/folder-digest.ts";
import { checksumAt } from "../index/checksum.ts";
import { allPieces, pieceChecksum } from "../index/chunk-pieces.ts";
import type { DumpedDocument } from "../index/dump-documents.ts";
import { readPointer } from "../index/generation-pointer.ts";
import { IndexFailure } from "../index/index-failure.ts";
import { openIndexFile } from "../index/open-index.ts";
import type { OnIndexProgress } from "../search.ts";
import { indexNames, type OpenSearchOptions, openSearch, type SearchedRoot } from "./open-search.ts";

export interface VerifySearchOptions extends Omit<OpenSearchOptions, "roots"> {
  /** Anew each time: whoever searches closes them. */
  readonly roots: () => readonly SearchedRoot[];
  readonly onProgress?: OnIndexProgress | undefined;
  /** True looks at each index by itself, and does not compare it with one made anew. */
  readonly isQuick?: boolean;
}

const mostLooks = 3;

/**
 * Compares each index that there is with one made anew. Works on copies: an index that is opened mends itself, and
 * where it is broken takes itself away.
 */
export async function verifySearch(options: VerifySearchOptions): Promise<VerifyFinding[]> {
  const scratch = mkdtempSync(join(tmpdir(), "recollect-verify-"));
  try {
    let found: VerifyFinding[] = [];
    for (let look = 0; look < mostLooks; look += 1) {
      const before = standOf(options.folder);
      found = await lookAt(options, join(scratch, String(look)));
      // What others write meanwhile may be torn in the copy.
      if (found.length === 0 || isDeepStrictEqual(before, standOf(options.folder))) return found;
    }
    return found;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function standOf(folder: string): unknown {
  return namesIn(folder).map((name) => {
    const stat = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    return [name, stat?.size, stat?.mtimeNs, stat?.ino];
  });
}

async function lookAt(options: VerifySearchOptions, scratch: string): Promise<VerifyFinding[]> {
  const [copied, anew] = [join(scratch, "copied"), join(scratch, "anew")];
  for (const folder of [copied, anew]) mkdirSync(folder, { recursive: true });
  const kept = options.roots();
  const nameOf = indexNames(options);
  const places = kept.map((root) => ({ root: root.source.root, name: nameOf(root) }));
  for (const { source } of kept) source.close();
  const existing = places.filter(({ name }) => copyIndex(name, options.folder, copied));
  const found = new Map(
    existing.flatMap(({ root, name }) => {
      const says = checkCopy(join(copied, name), root);
      return says === undefined ? [] : [[root, says] as const];
    }),
  );
  // The next search rebuilds an index that is not there; one that is there and wrong gives wrong answers.
  const unread = new Set(existing.flatMap(({ root, name }) => (isThere(join(copied, name)) ? [] : [root])));
  const whole = existing.filter(({ root }) => !found.has(root));
  if (whole.length > 0 && !options.isQuick) {
    await freshen(options, copied);
    await freshen(options, anew);
    for (const { root, name } of whole) {
      const says = compare(dumpOf(join(copied, name)), dumpOf(join(anew, name)));
      if (says !== undefined) found.set(root, says);
    }
  }
  return [...found].map(([root, says]) => ({
    level: unread.has(root) ? "unchecked" : "damaged",
    root,
    part: "search index",
    says: `The search index of “${root}” ${says}.`,
    remedy: "Nothing is lost: it is made from the documents. To rebuild it: recollect reindex",
  }));
}

/** False where there is none. */
function copyIndex(name: string, from: string, to: string): boolean {
  const names = namesIn(from).filter((one) => one === name || (one.startsWith(`${name}.`) && !one.endsWith("-shm")));
  for (const one of [...names, "vectors.sqlite"]) {
    if (statSync(join(from, one), { throwIfNoEntry: false })?.isFile()) copyFileSync(join(from, one), join(to, one));
  }
  return names.length > 0;
}

function namesIn(folder: string): string[] {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat && !stat.isDirectory()) {
    const says = `A file is in the place of the folder “${basename(folder)}” in your cache folder, so search makes its index anew each time. Delete it.`;
    throw new RecollectError("NOT_ALLOWED", says);
  }
  return stat ? readdirSync(folder).sort() : [];
}

function isThere(file: string): boolean {
  const pointer = readPointer(file);
  return pointer !== undefined && existsSync(`${file}.${pointer.generation}.sqlite`);
}

/** What is wrong with an index in itself; undefined where nothing is. */
function checkCopy(file: string, root: string): string | undefined {
  const pointer = readPointer(file);
  if (!pointer) return "is damaged: the file that names it is missing, or not as it was written";
  const name = `${file}.${pointer.generation}.sqlite`;
  if (!existsSync(name)) return "is missing";
  const damage = checkDatabase(name);
  if (damage !== undefined) return `is damaged: ${damage}`;
  const opened = openIndexFile({ file, version: versionIn(file) });
  if (opened.kind !== "open") return `cannot be opened: ${opened.reason}`;
  const { index } = opened;
  try {
    if (readPointer(file)?.generation !== pointer.generation) return "is damaged, or of another version of Recollect";
    index.dump();
    for (const [folder, digest] of index.folders()) {
      const own = digestOf(index.documentsIn(folder));
      // Documents that must be looked at again have no digest.
      if (!Number.isNaN(digest) && digest !== own) return `is damaged: it contradicts itself about “${folder || root}”`;
    }
    return undefined;
  } catch (error) {
    if (error instanceof IndexFailure) return `is damaged: ${error.reason}`;
    throw error;
  } finally {
    index.close();
  }
}

function versionIn(file: string): string {
  return file.slice(file.lastIndexOf("-") + 1);
}

function checkDatabase(name: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(name);
    const [row] = database.prepare("PRAGMA integrity_check(1)").all();
    const says = String(row?.["integrity_check"]);
    return says === "ok" ? findChangedRow(database) : says;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database?.close();
  }
}

/** Also of what no search happens to read. */
function findChangedRow(database: DatabaseSync): string | undefined {
  const changed = "a part of it was changed";
  const texts = "SELECT place, checksum, unit AS held FROM shown UNION ALL SELECT number, checksum, document FROM tail";
  for (const { place, checksum, held } of database.prepare(texts).iterate()) {
    const isText = typeof held === "string" || held instanceof Uint8Array;
    if (!isText || checksumAt(Number(place), held) !== checksum) return changed;
  }
  for (const { place, version, checksum, bytes } of database.prepare(allPieces).iterate()) {
    const isWhole = bytes instanceof Uint8Array && pieceChecksum(Number(place), Number(version), bytes) === checksum;
    if (!isWhole) return changed;
  }
  return undefined;
}

/** What a search does before it answers. */
async function freshen({ roots, onProgress, ...options }: VerifySearchOptions, folder: string): Promise<void> {
  const search = openSearch({ ...options, roots: roots(), folder, stays: false });
  try {
    await search.status(onProgress);
  } finally {
    await search.close();
  }
}

type Dumped = Omit<DumpedDocument, "stamp">;

function dumpOf(file: string): Map<string, Dumped> {
  const opened = openIndexFile({ file, version: versionIn(file) });
  if (opened.kind !== "open") return new Map();
  try {
    // Stamps of documents that were just changed are told from time.
    return new Map(opened.index.dump().map(({ stamp: _, ...document }) => [document.path, document]));
  } finally {
    opened.index.close();
  }
}

function compare(kept: ReadonlyMap<string, Dumped>, anew: ReadonlyMap<string, Dumped>): string | undefined {
  const paths = [...new Set([...kept.keys(), ...anew.keys()])];
  const differing = paths.filter((path) => !isDeepStrictEqual(kept.get(path), anew.get(path)));
  if (differing.length === 0) return undefined;
  const more = differing.length > 1 ? ` and ${differing.length - 1} more` : "";
  return `differs from a new one for “${differing[0]}”${more}`;
}
