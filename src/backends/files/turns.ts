import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import { auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";
import { makeWholeFile, replaceWholeFile } from "./whole-file.ts";

/**
 * The numbers by which processes queue for a lock: who comes draws the next one, and whoever gets the lock
 * writes down whose turn it is. They order, and never exclude, so a wrong number costs patience and no write.
 */
export interface Turns {
  read(): Counters;
  /** Only while no other process can draw. Undefined where the file has a second name, and must not be written to. */
  draw(): number | undefined;
  /** Only with the lock held. A file with a second name is replaced by a copy first: a backup by hard links has it too. */
  serve(number: number): void;
  close(): void;
}

interface Counters {
  readonly drawn: number;
  readonly served: number;
}

const magic = Buffer.from("recollect turns\n", "latin1");
const drawnAt = magic.length;
const servedAt = drawnAt + 8;
const size = servedAt + 8;

export function openTurns(auxiliary: Directory): Turns {
  let descriptor = openFile(auxiliary);
  const bytes = Buffer.alloc(16);

  function read(): Counters {
    readSync(descriptor, bytes, 0, 16, drawnAt);
    return { drawn: Number(bytes.readBigUInt64LE(0)), served: Number(bytes.readBigUInt64LE(8)) };
  }

  function write(number: number, position: number): void {
    const value = Buffer.alloc(8);
    value.writeBigUInt64LE(BigInt(number));
    writeSync(descriptor, value, 0, 8, position);
  }

  /** Another process may have replaced it by a copy. Asked by name: the file that was replaced has one name left. */
  function isShared(): boolean {
    const named = lstatSync(auxiliary.at(auxiliaryNames.turns), { throwIfNoEntry: false });
    if (named && named.ino !== fstatSync(descriptor).ino) reopen();
    return fstatSync(descriptor).nlink > 1;
  }

  function reopen(): void {
    const former = descriptor;
    descriptor = openFile(auxiliary);
    closeSync(former);
  }

  function replaceByCopy(): void {
    const copy = Buffer.alloc(size);
    readSync(descriptor, copy, 0, size, 0);
    replaceWholeFile(auxiliary, auxiliaryNames.turns, copy);
    reopen();
  }

  return {
    read,
    draw: () => {
      if (isShared()) return undefined;
      const { drawn, served } = read();
      const next = Math.max(drawn, served) + 1;
      if (Number.isSafeInteger(next)) {
        write(next, drawnAt);
        return next;
      }
      // Nobody counted that far: somebody else wrote to the file.
      write(0, servedAt);
      write(1, drawnAt);
      return 1;
    },
    serve: (number) => {
      if (number <= read().served) return;
      if (isShared()) replaceByCopy();
      write(number, servedAt);
    },
    close: () => closeSync(descriptor),
  };
}

function openFile(auxiliary: Directory): number {
  const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const path = auxiliary.at(auxiliaryNames.turns);
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw explained(error);
    makeWholeFile(auxiliary, auxiliaryNames.turns, image());
    descriptor = openSync(path, flags);
  }
  try {
    if (isOurs(descriptor)) return descriptor;
    throw notOurs();
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Only what begins with our mark is ever written to: a file from elsewhere could be linked in here. */
function isOurs(descriptor: number): boolean {
  const stat = fstatSync(descriptor);
  if (!stat.isFile() || stat.size !== size) return false;
  const start = Buffer.alloc(magic.length);
  readSync(descriptor, start, 0, start.length, 0);
  return start.equals(magic);
}

function image(): Buffer {
  return Buffer.concat([magic, Buffer.alloc(size - magic.length)]);
}

function explained(error: unknown): unknown {
  if (hasCode(error, "EACCES", "EPERM", "EROFS")) {
    const says = "The queue for this folder's lock cannot be written to by this user, so nothing else can.";
    return new RecollectError("READ_ONLY", says, { cause: error });
  }
  return hasCode(error, "ELOOP", "EISDIR", "ENXIO") ? notOurs() : error;
}

function notOurs(): RecollectError {
  return new RecollectError(
    "NOT_ALLOWED",
    "“.recollect/turns” is not one of our files, or damaged. Move it out of “.recollect”.",
  );
}
