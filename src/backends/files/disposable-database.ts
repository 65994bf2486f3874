import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makeFolders } from "./make-folders.ts";

export interface DisposableOptions {
  /** Made with its folder where missing. */
  readonly file: string;
  /** Said to each connection first: how it works, and its tables where they are missing. */
  readonly begin: string;
}

/**
 * An SQLite file of what can be made again: where it is damaged it begins anew, and where it cannot be used whoever asks
 * does without it.
 */
export interface DisposableDatabase {
  /** Whether there is one: whoever only looks makes none. */
  isThere(): boolean;
  /** Undefined where it cannot be done. */
  use<Result>(run: (database: DatabaseSync) => Result): Result | undefined;
  close(): void;
}

export function createDisposableDatabase(options: DisposableOptions): DisposableDatabase {
  const { file } = options;
  let database: DatabaseSync | undefined;

  function close(): void {
    try {
      database?.close();
    } catch {
      // It is closed already.
    }
    database = undefined;
  }

  return {
    isThere: () => database !== undefined || existsSync(file),
    use: (run) => {
      for (const isLast of [false, true]) {
        try {
          database ??= openDisposable(options);
          return run(database);
        } catch (error) {
          close();
          // Whoever else has it open goes on with what it had.
          if (isLast || !isDamaged(error) || !isRemoved(file)) return undefined;
        }
      }
      return undefined;
    },
    close,
  };
}

/** One connection, for whoever must know that it failed. */
export function openDisposable({ file, begin }: DisposableOptions): DatabaseSync {
  makeFolders(dirname(file), 0o700);
  // Loaded with the first use: most commands have none.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  try {
    database.exec(begin);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function removeDisposable(file: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
}

const damaged: readonly unknown[] = [
  1, // SQLITE_ERROR: a table of that name with other columns
  11, // SQLITE_CORRUPT
  26, // SQLITE_NOTADB
];

function isDamaged(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && damaged.includes(error.errcode);
}

function isRemoved(file: string): boolean {
  try {
    removeDisposable(file);
    return true;
  } catch {
    return false;
  }
}
