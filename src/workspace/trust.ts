import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { RecollectError } from "../core/errors.ts";
import { isObject, parseJson } from "../stores/files/json.ts";
import { hasCode, toStorageError } from "../stores/files/storage-error.ts";
import { realPathOf } from "./real-path.ts";

export interface TrustedFile {
  /** Real path of the file. */
  readonly file: string;
  readonly sha256: string;
  readonly trustedAt: string;
}

/** Which projects' settings files a user trusts, each bound to its place and its very content (CFG-2). */
export interface Trust {
  isTrusted(file: string, content: Uint8Array): boolean;
  trust(file: string, content: Uint8Array): TrustedFile;
  /** Whether there was anything to take back. */
  revoke(file: string): boolean;
  list(): TrustedFile[];
}

export interface TrustOptions {
  /** The user's data folder; records lie in `trust/` below it. */
  readonly folder: string;
  readonly now?: () => number;
}

const format = 1;
const recordSchema = z.object({
  format: z.literal(format),
  file: z.string(),
  sha256: z.string(),
  trustedAt: z.string(),
});
const recordName = /^[0-9a-f]{64}\.json$/;

/**
 * One record a file, named by the hash of the trusted file's real path. Processes that trust at the same
 * time write different records, or the same one as a whole, so that there is nothing to lock.
 */
export function openTrust({ folder, now = Date.now }: TrustOptions): Trust {
  const records = join(folder, "trust");

  return {
    isTrusted: (file, content) => {
      const place = realPathOf(file);
      const record = readRecord(recordOf(place));
      return record?.file === place && record.sha256 === hashOf(content);
    },
    trust: (file, content) => {
      const place = realPathOf(file);
      refuseNewer(recordOf(place));
      const trusted = { file: place, sha256: hashOf(content), trustedAt: new Date(now()).toISOString() };
      storing("remember what you trust", () => {
        mkdirSync(records, { recursive: true, mode: 0o700 });
        replaceFile(records, `${hashOf(place)}.json`, `${JSON.stringify({ format, ...trusted })}\n`);
      });
      return trusted;
    },
    revoke: (file) => storing("forget what you trusted", () => removeFile(records, recordOf(realPathOf(file)))),
    list: () =>
      namesIn(records)
        .filter((name) => recordName.test(name))
        .flatMap((name) => readRecord(join(records, name)) ?? [])
        .sort((left, right) => (left.file < right.file ? -1 : 1)),
  };

  function recordOf(place: string): string {
    return join(records, `${hashOf(place)}.json`);
  }
}

function readRecord(path: string): TrustedFile | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const json = parseJson(text);
  if (isNewer(json)) throw newerFormat(path);
  const record = recordSchema.safeParse(json).data;
  if (record) return { file: record.file, sha256: record.sha256, trustedAt: record.trustedAt };
  throw new RecollectError(
    "STORAGE_FAILED",
    `A record of what you trust is damaged: ${path}. Remove that file, then run “recollect trust” in the project again.`,
    { data: { record: path } },
  );
}

/** A damaged record may be replaced; one of a newer Recollect is not ours to judge. */
function refuseNewer(path: string): void {
  if (isNewer(parseJson(textOf(path) ?? ""))) throw newerFormat(path);
}

function isNewer(json: unknown): boolean {
  return isObject(json) && typeof json["format"] === "number" && json["format"] > format;
}

function newerFormat(path: string): RecollectError {
  return new RecollectError(
    "UNSUPPORTED_FORMAT",
    `A record of what you trust was written by a newer Recollect: ${path}. Update Recollect, or remove that file.`,
    { data: { record: path, supported: format } },
  );
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw toStorageError(error, "read what you trust");
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw toStorageError(error, "read what you trust");
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

function syncFolder(folder: string): void {
  // Windows has no descriptor for a folder; NTFS journals the rename itself.
  if (process.platform !== "win32") withDescriptor(openSync(folder, constants.O_RDONLY), fsyncSync);
}

function withDescriptor(descriptor: number, use: (descriptor: number) => void): void {
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function storing<Result>(doing: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw toStorageError(error, doing);
  }
}

function hashOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
