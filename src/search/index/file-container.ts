import { accessSync, closeSync, constants, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { Container } from "./container.ts";
import { isMarked, newGeneration, noMark, type Pointer, readPointer, writePointer } from "./generation-pointer.ts";
import { IndexFailure, isDamage, toRefusal } from "./index-failure.ts";
import { createTables, isOurs, prepareDatabase } from "./schema.ts";

export interface FileContainerOptions {
  readonly file: string;
  readonly version: string;
  readonly busyMilliseconds: number;
}

interface Opened {
  readonly connection: Connection;
  readonly pointer: Pointer;
}

/**
 * The file only names the database beside it that is the current one. A database that is broken or foreign is never
 * replaced under its own name: a process that still has it open would go on with the write-ahead log of that name,
 * and mix two databases into one. It gets a successor with a name of its own, and whoever looks at the file next
 * goes there.
 */
export function createFileContainer({ file, version, busyMilliseconds }: FileContainerOptions): Container {
  let opened: Opened | undefined;
  let isClosed = false;

  const nameOf = (generation: string) => `${file}.${generation}.sqlite`;

  function openCurrent(): Opened {
    makeFolders(dirname(file), 0o700);
    const pointer = readPointer(file);
    const known = pointer && openKnown(pointer);
    if (known) return known;
    return beginAnew(pointer);
  }

  /** Undefined where it is gone, broken, or of another program or version. */
  function openKnown(pointer: Pointer): Opened | undefined {
    const name = nameOf(pointer.generation);
    if (!existsSync(name)) return undefined;
    // SQLite opens what it cannot write to for reading, without a word.
    accessSync(name, constants.W_OK);
    accessSync(dirname(name), constants.W_OK);
    const database = new DatabaseSync(name);
    try {
      prepareDatabase(database, busyMilliseconds);
      if (isOurs(database, version)) return { pointer, connection: connectTo(database) };
    } catch (error) {
      database.close();
      if (isDamage(error)) return undefined;
      throw error;
    }
    database.close();
    return undefined;
  }

  /** Complete before the file names it. */
  function beginAnew(before: Pointer | undefined): Opened {
    const generation = newGeneration();
    const name = nameOf(generation);
    closeSync(openSync(name, "wx", 0o600));
    const database = new DatabaseSync(name);
    try {
      prepareDatabase(database, busyMilliseconds);
      database.exec("PRAGMA journal_mode = WAL");
      createTables(database, version);
      writePointer(file, generation);
    } catch (error) {
      database.close();
      removeDatabase(name);
      throw error;
    }
    const named = readPointer(file);
    if (before) removeDatabase(nameOf(before.generation));
    removeLeftovers(generation);
    // Another process may have begun anew in the same moment: then this one is left for that at the next call.
    const mark = named?.generation === generation ? named.mark : noMark;
    return { pointer: { generation, mark }, connection: connectTo(database) };
  }

  /** What processes left that were killed while they began anew; not what others are beginning this moment. */
  function removeLeftovers(current: string): void {
    const prefix = `${basename(file)}.`;
    // Another process may have taken the file away already; it tidies up, too.
    const now = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    for (const entry of readdirSync(dirname(file))) {
      if (!entry.startsWith(prefix) || entry.startsWith(`${prefix}${current}`)) continue;
      const path = join(dirname(file), entry);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && now - stat.mtimeMs > 60_000) rmSync(path, { force: true });
    }
  }

  function connectTo(database: DatabaseSync): Connection {
    return createConnection(database, busyMilliseconds, toFailure);
  }

  function toFailure(error: unknown): unknown {
    if (!isDamage(error)) return toRefusal(error, container);
    abandon();
    return failureOf("lost", "it was broken and is begun anew", error);
  }

  function failureOf(kind: IndexFailure["kind"], reason: string, cause?: unknown): IndexFailure {
    const failure = new IndexFailure(kind, reason, cause);
    failure.of = container;
    return failure;
  }

  /** Leaves the database, and takes its name out of the file unless somebody has done so already. */
  function abandon(): void {
    const left = opened;
    closeOpened();
    if (!left || readPointer(file)?.generation !== left.pointer.generation) return;
    rmSync(file, { force: true });
    removeDatabase(nameOf(left.pointer.generation));
  }

  function closeOpened(): void {
    opened?.connection.close();
    opened = undefined;
  }

  const container: Container = {
    connection() {
      if (isClosed) throw failureOf("unavailable", "it was closed");
      const isReplaced = opened !== undefined && !isMarked(file, opened.pointer.mark);
      if (isReplaced) closeOpened();
      try {
        opened ??= openCurrent();
      } catch (error) {
        throw toFailure(error);
      }
      if (isReplaced) throw failureOf("lost", "it was begun anew");
      return opened.connection;
    },
    close() {
      isClosed = true;
      closeOpened();
    },
  };
  return container;
}

function removeDatabase(name: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${name}${suffix}`, { force: true });
}
