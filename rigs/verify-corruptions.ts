import { copyFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Part, VerifyWorld } from "./verify-world.ts";

/** How one file was corrupted, in words; undefined where that was not possible, or changed nothing. */
export type Corruption = (path: string, random: () => number) => string | undefined;

export const corruptions: Readonly<Record<string, Corruption>> = {
  "bit flip": (path, random) =>
    rewrite(path, (bytes) => {
      if (bytes.length === 0) return undefined;
      const [at, bit] = [Math.floor(random() * bytes.length), Math.floor(random() * 8)];
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      return { bytes, says: `bit ${bit} of byte ${at}` };
    }),
  deleted: (path) => {
    // It spares work, and may be deleted at any time (docs/FORMAT.md).
    if (path.endsWith("recollect-state.json")) return undefined;
    rmSync(path);
    return "deleted";
  },
  truncated: (path, random) =>
    rewrite(path, (bytes) => {
      const length = Math.floor(random() * bytes.length);
      return { bytes: bytes.subarray(0, length), says: `cut to ${length} of ${bytes.length} bytes` };
    }),
  "last bytes cut": (path, random) =>
    rewrite(path, (bytes) => {
      const length = Math.max(0, bytes.length - 1 - Math.floor(random() * 40));
      return { bytes: bytes.subarray(0, length), says: `cut to ${length} of ${bytes.length} bytes` };
    }),
  "records swapped": (path, random) =>
    rewrite(path, (bytes) => (isText(path) ? swapLines(bytes, random) : swapBlocks(bytes, random))),
  "record removed": (path, random) =>
    rewrite(path, (bytes) => {
      const lines = linesOf(bytes);
      const at = Math.floor(random() * lines.length);
      return { bytes: Buffer.concat(lines.toSpliced(at, 1)), says: `line ${at + 1} removed` };
    }),
  zeros: (path, random) =>
    rewrite(path, (bytes) => {
      const at = Math.floor(random() * bytes.length);
      const end = Math.min(bytes.length, at + 1 + Math.floor(random() * 64));
      return { bytes: Buffer.from(bytes).fill(0, at, end), says: `zeros from ${at} to ${end}` };
    }),
};

/** Whole folders that can get lost, or come back as they were. */
export const losses = ["history deleted", "journal deleted", "older copy"] as const;

interface Rewritten {
  readonly bytes: Uint8Array;
  readonly says: string;
}

/** In place, and with the time that it had: a disk that forgets does not tell. */
function rewrite(path: string, change: (bytes: Buffer) => Rewritten | undefined): string | undefined {
  const [before, stat] = [readFileSync(path), statSync(path)];
  const after = change(Buffer.from(before));
  if (!after || before.equals(after.bytes)) return undefined;
  rmSync(path);
  writeFileSync(path, after.bytes, { mode: stat.mode });
  utimesSync(path, stat.atime, stat.mtime);
  return after.says;
}

function isText(path: string): boolean {
  return !/\.(pack|idx|graph|sqlite)$/.test(path);
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const stop = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(at, stop));
    at = stop;
  }
  return lines;
}

function swapLines(bytes: Buffer, random: () => number): Rewritten | undefined {
  const lines = linesOf(bytes);
  if (lines.length < 2) return undefined;
  const at = Math.floor(random() * (lines.length - 1));
  const [one = Buffer.of(), other = Buffer.of()] = lines.slice(at, at + 2);
  return { bytes: Buffer.concat(lines.toSpliced(at, 2, other, one)), says: `lines ${at + 1} and ${at + 2} swapped` };
}

function swapBlocks(bytes: Buffer, random: () => number): Rewritten | undefined {
  const size = Math.min(64, Math.floor(bytes.length / 2));
  const at = Math.floor(random() * (bytes.length - 2 * size));
  const swapped = Buffer.concat([
    bytes.subarray(0, at),
    bytes.subarray(at + size, at + 2 * size),
    bytes.subarray(at, at + size),
    bytes.subarray(at + 2 * size),
  ]);
  return { bytes: swapped, says: `two blocks of ${size} bytes at ${at} swapped` };
}

/** Something larger than a file. Undefined where it changed nothing. */
export function lose(
  kind: (typeof losses)[number],
  { folder }: VerifyWorld,
  older: VerifyWorld,
  { part, path }: { readonly part: Part; readonly path: string },
): string | undefined {
  const auxiliary = join(folder, "project/.serena/memories/.recollect");
  if (kind === "history deleted") {
    rmSync(join(auxiliary, "history"), { recursive: true });
    return "the whole history deleted";
  }
  if (kind === "journal deleted") {
    for (const name of ["journal", "journal-1", "journal-2", "journal-3"])
      rmSync(join(auxiliary, name), { force: true });
    return "the whole journal deleted";
  }
  const former = join(older.folder, relative(folder, path));
  // An older index, or an older note of where the recorder stood, is brought up to date by whoever uses it.
  const isDerived = part === "search index" || path.endsWith("recollect-state.json");
  if (isDerived || !existsSync(former) || readFileSync(former).equals(readFileSync(path))) return undefined;
  copyFileSync(former, path);
  return "replaced by an older copy";
}

/** Whether a database says the same as before: then only bytes were hit that nobody reads. */
export function saysTheSame(path: string, before: string): boolean {
  if (!path.endsWith(".sqlite")) return false;
  try {
    return contentsOf(path) === contentsOf(before);
  } catch {
    return false;
  }
}

function contentsOf(path: string): string {
  const copy = join(dirname(dirname(path)), `${basename(path)}.looked-at`);
  copyFileSync(path, copy);
  const database = new DatabaseSync(copy);
  try {
    const tables = database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();
    const rows = tables
      .filter(({ sql }) => String(sql).startsWith("CREATE TABLE"))
      .map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
    const about = ["application_id", "user_version", "encoding"].map((one) => database.prepare(`PRAGMA ${one}`).get());
    return JSON.stringify([tables, rows, about], (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
  } finally {
    database.close();
    for (const ending of ["", "-wal", "-shm"]) rmSync(copy + ending, { force: true });
  }
}
