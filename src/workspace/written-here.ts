import { createHmac } from "node:crypto";
import { closeSync, copyFileSync, fstatSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../backends/files/storage-error.ts";
import type { Outcome, Stamp } from "../kernel/store.ts";
import { readUserSalt } from "../settings/user-salt.ts";

/** Which versions of documents were written through Recollect on this machine, and by whom (USE-16). */
export interface WrittenHere {
  committed(outcomes: readonly Outcome[], stamp: Stamp): void;
  /** The author of a version, such as `agent:codex`; undefined for one that came another way. */
  authorOf(rev: string): string | undefined;
}

export interface WrittenHereOptions {
  readonly dataFolder: string;
  /** What is written without Recollect, such as what a sync brings, has this author. */
  readonly outside: string;
  /** What is no document in a folder of memories, such as one in a database, or is made again from the others. */
  isExempt(at: Outcome["at"]): boolean;
}

const hashChars = 22;
/** Some 100,000 versions: then the file makes room, and the one before it goes. */
const mostBytes = 4 * 1024 * 1024;

/**
 * A file of the user that each write adds a line to: salted hashes, since a purged text must not be known again by its
 * revision. What was changed outside stays from outside when Recollect adds to it, moves or archives it: a version is
 * written here only if all that its commit began with was.
 */
export function openWrittenHere({ dataFolder, outside, isExempt }: WrittenHereOptions): WrittenHere {
  const file = join(dataFolder, "written-here");
  const former = `${file}.old`;
  const authors = new Map<string, string>();
  let salt: Buffer | undefined;
  let read = { inode: 0, bytes: 0 };

  function hashOf(rev: string): string {
    salt ??= readUserSalt(dataFolder);
    return createHmac("sha256", salt).update(rev).digest("base64url").slice(0, hashChars);
  }

  /** Other processes write to it, too: what is new in it is read each time. */
  function known(): ReadonlyMap<string, string> {
    const added = withFile(file, "r", (descriptor) => {
      const { ino, size } = fstatSync(descriptor);
      if (ino === read.inode) return readFrom(descriptor, read.bytes, size);
      learn(withFile(former, "r", (old) => readFrom(old, 0, fstatSync(old).size)) ?? "");
      read = { inode: ino, bytes: 0 };
      return readFrom(descriptor, 0, size);
    });
    read.bytes += learn(added ?? "");
    return authors;
  }

  /** How many bytes were whole lines. */
  function learn(text: string): number {
    const end = text.lastIndexOf("\n") + 1;
    for (const line of text.slice(0, end).split("\n")) {
      if (line !== "") authors.set(line.slice(0, hashChars), decodeURIComponent(line.slice(hashChars + 1)));
    }
    return end;
  }

  function add(lines: string): void {
    const { size = 0, nlink = 1 } = withFile(file, "r", fstatSync) ?? {};
    if (size > mostBytes) renameSync(file, former);
    // A backup by hard links keeps what it was made of.
    else if (nlink > 1) replaceByCopy(file);
    withFile(file, "a", (descriptor) => writeSync(descriptor, lines));
  }

  return {
    authorOf: (rev) => {
      const versions = known();
      // Nothing is made for a look: the folder of a user who has written nothing may not even be there.
      return versions.size === 0 ? undefined : versions.get(hashOf(rev));
    },
    committed: (outcomes, { author }) => {
      if (author === outside) return;
      const own = outcomes.filter(({ at }) => !isExempt(at));
      const before = own.flatMap(({ was }) => (was === undefined ? [] : [was]));
      if (before.length > 0 && before.some((was) => !known().has(hashOf(was)))) return;
      const lines = own.flatMap(({ rev }) =>
        rev === undefined ? [] : [`${hashOf(rev)} ${encodeURIComponent(author)}\n`],
      );
      if (lines.length > 0) add(lines.join(""));
    },
  };
}

/** Undefined where there is no such file to read. */
function withFile<Result>(path: string, flag: "r" | "a", use: (descriptor: number) => Result): Result | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, flag, 0o600);
  } catch (error) {
    if (flag === "r" && hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readFrom(descriptor: number, start: number, end: number): string {
  const rest = Buffer.alloc(Math.max(0, end - start));
  return rest.toString("latin1", 0, readSync(descriptor, rest, 0, rest.length, start));
}

function replaceByCopy(file: string): void {
  const copy = `${file}.${process.pid}.new`;
  copyFileSync(file, copy);
  renameSync(copy, file);
}
