import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { readRecord, recordFormat, toRecordText } from "../../kernel/record-format.ts";
import type { NamedRecord, RecordPlace } from "../../kernel/records.ts";
import { makeFolders } from "./make-folders.ts";
import { openPurgedValues } from "./purged-values.ts";
import { hasCode, toStorageError } from "./storage-error.ts";
import { syncFolder } from "./sync-folder.ts";

export interface RecordFilesOptions<Entry> {
  readonly folder: string;
  readonly schema: z.ZodType<Entry>;
  /** Completes “read …” and “a record of …”. */
  readonly what: string;
  /** What to do about a damaged record, after “Remove that file”. */
  readonly remedy: string;
}

/** Small records of a user's decisions, one a file, for this user's eyes. */
export interface RecordFiles<Entry> {
  read(name: string): Entry | undefined;
  write(name: string, entry: Entry): void;
  /** Whether there was any. */
  remove(name: string): boolean;
  /** One that cannot be read ends it, unless somebody is told of it. */
  list(onUnreadable?: (error: RecollectError) => void): NamedRecord<Entry>[];
  /** Another one whenever a record was written or removed, by whichever process: the cost of one `stat`. */
  stamp(): Promise<string>;
}

/** Records as files, in a folder for each kind below this one. */
export function recordsInFolder(folder: string): RecordPlace {
  return {
    open: ({ kind, ...options }) => {
      const files = openRecordFiles({ folder: join(folder, kind), ...options });
      return {
        read: async (name) => files.read(name),
        write: async (name, entry) => files.write(name, entry),
        remove: async (name) => files.remove(name),
        list: async (onUnreadable) => files.list(onUnreadable),
        stamp: files.stamp,
      };
    },
    purgedValues: openPurgedValues({ folder }),
  };
}

const ending = ".json";

/**
 * Processes that write at the same time write different records, or the same one as a whole, so that there is
 * nothing to lock. Each carries the version of its format.
 */
export function openRecordFiles<Entry extends object>(options: RecordFilesOptions<Entry>): RecordFiles<Entry> {
  const { folder, schema, what, remedy } = options;
  const pathOf = (name: string) => join(folder, name + ending);

  function read(name: string): Entry | undefined {
    const path = pathOf(name);
    const text = textOf(path, what);
    if (text === undefined) return undefined;
    const found = readRecord(text, schema);
    if (found.kind === "entry") return found.entry;
    if (found.kind === "newer") throw newerFormat(path, what);
    const says = `A record of ${what} is damaged: ${path}. Remove that file${remedy}.`;
    throw new RecollectError("STORAGE_FAILED", says, { data: { record: path } });
  }

  return {
    read,
    write: (name, entry) => {
      // A damaged record may be replaced; one of a newer Recollect is not ours to judge.
      if (readRecord(textOf(pathOf(name), what) ?? "", schema).kind === "newer") throw newerFormat(pathOf(name), what);
      storing(`remember ${what}`, () => {
        makeFolders(folder, 0o700);
        replaceFile(folder, name + ending, `${toRecordText(entry)}\n`);
      });
    },
    remove: (name) => storing(`forget ${what}`, () => removeFile(folder, pathOf(name))),
    list: (onUnreadable) =>
      namesIn(folder, what)
        .filter((name) => /^[0-9a-f]{32,64}\.json$/.test(name))
        .flatMap((file) => {
          const name = file.slice(0, -ending.length);
          const entry = onUnreadable ? readOr(onUnreadable, () => read(name)) : read(name);
          return entry === undefined ? [] : [{ name, entry }];
        }),
    stamp: async () => String(statSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs),
  };
}

function readOr<Entry>(onUnreadable: (error: RecollectError) => void, read: () => Entry): Entry | undefined {
  try {
    return read();
  } catch (error) {
    // That says nothing about this one.
    if (!isRecollectError(error) || error.code === "TOO_MANY_OPEN_FILES") throw error;
    onUnreadable(error);
    return undefined;
  }
}

function newerFormat(path: string, what: string): RecollectError {
  return new RecollectError(
    "UNSUPPORTED_FORMAT",
    `A record of ${what} was written by a newer Recollect: ${path}. Update Recollect, or remove that file.`,
    { data: { record: path, supported: recordFormat } },
  );
}

function textOf(path: string, what: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw toStorageError(error, `read ${what}`);
  }
}

function namesIn(folder: string, what: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw toStorageError(error, `read ${what}`);
  }
}

function replaceFile(folder: string, name: string, text: string): void {
  const fresh = join(folder, `${name}.${randomBytes(8).toString("hex")}.new`);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    withDescriptor(openSync(fresh, flags, 0o600), (descriptor) => {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    });
    renameSync(fresh, join(folder, name));
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(folder);
}

function removeFile(folder: string, path: string): boolean {
  try {
    rmSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
  syncFolder(folder);
  return true;
}

function withDescriptor(descriptor: number, use: (descriptor: number) => void): void {
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function storing<Result>(doing: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw toStorageError(error, doing);
  }
}
