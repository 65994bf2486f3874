import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { ExistingPath, Store } from "../../../src/app.ts";
import type { Database } from "../../../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../../../src/backends/postgres/history.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { copyRoot } from "../../../src/care/migrate/migrate-workspace.ts";
import type { Backend } from "../../../src/kernel/backend.ts";
import type { RootHistory } from "../../../src/kernel/root-history.ts";
import { filesBackend, postgresBackend } from "../../helpers/backends.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { ada, at, bob, openWorld } from "../../history/scratch.ts";

/** Opened anew for each copy, as a process of its own would. */
export async function toSpace(folder: string, space: string, { database }: { readonly database?: Database } = {}) {
  return copied(filesAt(folder), await postgresBackend([{ name: "notes", place: space }], database));
}

export async function toFolder(space: string, folder: string) {
  return copied(await postgresBackend([{ name: "notes", place: space }]), filesAt(folder));
}

function filesAt(folder: string): Backend {
  return filesBackend([{ name: "notes", place: folder }]);
}

function copied(from: Backend, to: Backend) {
  return copyRoot("notes", from, to).finally(() => Promise.all([from.close(), to.close()]));
}

export function newSpace(): string {
  return `migration/${randomUUID()}`;
}

/** A root in a space, with its history. */
export async function openSpace(space: string) {
  const database = await sharedDatabase();
  const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
  onTestFinished(() => store.close());
  return { store, history: openPostgresHistory({ database, root: "notes", space, now: Date.now }) };
}

const notText = Buffer.from([0xff, 0xfe, 0, 0x80, 10]);

/** Fills folders with the same, made once: writing takes longer than copying files. */
export function filledOnce(fill: (folder: string) => Promise<void>): (folder: string) => Promise<void> {
  const made = mkdtempSync(join(tmpdir(), "recollect-filled-"));
  afterAll(() => rmSync(made, { recursive: true, force: true }));
  let filling: Promise<void> | undefined;
  return async (folder) => {
    filling ??= fill(made);
    await filling;
    cpSync(made, folder, { recursive: true, preserveTimestamps: true });
  };
}

/** Everything that a history can hold, and documents that it has not seen yet. */
export async function fillWithAll(folder: string): Promise<void> {
  writeFileSync(join(folder, "before.md"), "was there\r\n");
  const { documents, history, close } = openWorld(folder);
  await documents.write(at("a.md"), "one", { ...ada, run: "r1", reason: "because\nof this > that" });
  await documents.write(at("a.md"), "two", bob);
  await documents.append(at("log/today.md"), "line\n", ada);
  await documents.append(at("log/today.md"), "line\n", ada);
  await documents.write(at("a.md"), "two", ada);
  await history.catchUp();
  const three = ["b.md", "sub/c.md", "sub/deep/d.md"].map((path) => at(path));
  await documents.commit(three, () => three.map((one) => ({ kind: "put", at: one, content: one.path })), {
    author: "agent:é 日本 <x>",
    run: 'r"2',
  });
  await documents.move(at("b.md"), at("sub/moved.md"), bob);
  await documents.write(at("b.md"), "another", ada);
  await documents.remove(at("sub/c.md"), { ...bob, reason: "not needed" });
  await documents.write(at("日本語/é ñ.md"), "ünïcödé 🎉\0\n", ada);
  writeFileSync(join(folder, "log/binary.bin"), notText);
  await history.catchUp();
  renameSync(join(folder, "before.md"), join(folder, "renamed.md"));
  writeFileSync(join(folder, "a.md"), "by hand");
  rmSync(join(folder, "sub/deep/d.md"));
  await history.catchUp();
  await documents.write(at("late.md"), "not recorded yet", ada);
  writeFileSync(join(folder, "log/binary.bin"), Buffer.concat([notText, notText]));
  writeFileSync(join(folder, "empty.md"), "");
  utimesSync(join(folder, "b.md"), 1_600_000_000, 1_600_000_000.1235);
  await close();
}

/** All that the contracts tell of a root, but for the ids of operations and the logs of single documents. */
async function tellAll(store: Store, history: RootHistory) {
  await history.catchUp({ waitMs: 10_000 });
  const { operations } = await history.log({ limit: 10_000 });
  const moments = operations.flatMap(({ id, changes }) =>
    changes.flatMap(({ path }) => (["before", "after"] as const).map((side) => ({ id, path, side }))),
  );
  const contents = await history.contents(moments);
  const { entries } = await store.list({ root: "notes", limit: 10_000, details: true });
  return {
    operations: operations.map(({ id: _, changes, ...operation }) => ({
      ...operation,
      // Where one went to is promised in the log of one document alone.
      changes: changes.map(({ to: _to, ...change }) => change),
    })),
    contents: contents.map((bytes) => bytes && Buffer.from(bytes).toString("hex")),
    documents: entries,
  };
}

export async function tellLogs(history: RootHistory) {
  const { operations } = await history.log({ limit: 10_000 });
  const paths = new Set(operations.flatMap(({ changes }) => changes.map(({ path }) => path)));
  return Promise.all([...paths].map(async (path) => [path, await logOf(history, path)] as const));
}

async function logOf(history: RootHistory, path: ExistingPath) {
  const { operations } = await history.log({ path, limit: 10_000 });
  // Git lists no operation for a document that it left as it was; the log of everything has it.
  const telling = operations.filter(({ changes }) => changes.some(({ rev, was }) => rev !== was));
  return telling.map(({ id: _, ...operation }) => operation);
}

export async function tellFolder(folder: string) {
  const world = openWorld(folder);
  return tellAll(world.store, world.history);
}

export async function tellSpace(space: string) {
  const { store, history } = await openSpace(space);
  return tellAll(store, history);
}
