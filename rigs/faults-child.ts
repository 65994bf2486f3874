/**
 * The process into which faults are injected. It takes one command a line and answers each with a
 * line; between two commands it does nothing at all, so that strace can come and go in the pause.
 */
import { readdirSync, readFileSync, readlinkSync, readSync, writevSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Recollect from "../src/app.ts";
import type { PlainChange } from "./faults-cases.ts";

export type Command =
  | { readonly do: "open"; readonly root: string }
  | { readonly do: "commit"; readonly changes: readonly PlainChange[] }
  | { readonly do: "recover" }
  | { readonly do: "read"; readonly paths: readonly string[] }
  | { readonly do: "close" };

export interface Answer {
  readonly ok: boolean;
  readonly texts?: Readonly<Record<string, string>>;
  readonly error?: { readonly typed: boolean; readonly code: string; readonly message: string; readonly stack: string };
  /** Lock files that this process has open without the right to write: such a lock excludes nobody. */
  readonly weakLocks: readonly string[];
  readonly descriptors: number;
}

const { openFilesStore, isRecollectError, errorCodes } = (await import(
  pathToFileURL(`${process.argv[2]}/app.ts`).href
)) as typeof Recollect;

let store: Recollect.Store | undefined;
let pending = Buffer.alloc(0);

for (let line = readLine(); line !== undefined; line = readLine()) {
  const answer = await perform(JSON.parse(line) as Command);
  // writev, because write itself may be failing just now.
  writevSync(1, [Buffer.from(JSON.stringify(answer)), Buffer.from("\n")]);
}

async function perform(command: Command): Promise<Answer> {
  try {
    const texts = await run(command);
    return { ok: true, ...(texts ? { texts } : {}), ...inspect() };
  } catch (error) {
    const typed = isRecollectError(error) && errorCodes.includes(error.code);
    const [code, message] = isRecollectError(error) ? [error.code, error.message] : ["", String(error)];
    return { ok: false, error: { typed, code, message, stack: describe(error) }, ...inspect() };
  }
}

async function run(command: Command): Promise<Record<string, string> | undefined> {
  if (command.do === "open") {
    store = openFilesStore({ roots: [{ name: "notes", folder: command.root }], now: Date.now, lockTimeoutMs: 2000 });
    return;
  }
  if (!store) throw new Error("no store is open");
  if (command.do === "recover") await store.recover();
  if (command.do === "commit") await commit(store, command.changes);
  if (command.do === "read") return readTexts(store, command.paths);
  if (command.do === "close") {
    await store.close();
    store = undefined;
  }
  return;
}

async function commit(into: Recollect.Store, changes: readonly PlainChange[]): Promise<void> {
  const planned = changes.map(toChange);
  const addresses = planned.flatMap((change) => (change.kind === "move" ? [change.from, change.to] : [change.at]));
  await into.commit(addresses.map(into.resolve), () => planned, { author: "faults" });
}

async function readTexts(from: Recollect.Store, paths: readonly string[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const path of paths) {
    const found = await from.read(from.resolve(at(path)));
    if (found) texts[path] = found.content;
  }
  return texts;
}

function toChange(change: PlainChange): Recollect.Change {
  if (change.kind === "move") return { kind: "move", from: at(change.path), to: at(change.to) };
  if (change.kind === "remove") return { kind: "remove", at: at(change.path) };
  return { kind: change.kind, at: at(change.path), content: change.content };
}

function at(path: string): Recollect.Address<Recollect.DocumentPath> {
  return { root: "notes", path: path as Recollect.DocumentPath };
}

/** What this process holds open, asked of the system itself. */
function inspect(): { weakLocks: string[]; descriptors: number } {
  const weakLocks: string[] = [];
  try {
    const descriptors = readdirSync("/proc/self/fd");
    for (const descriptor of descriptors) {
      const target = targetOf(descriptor);
      if (target?.includes("/.recollect/") && /^(lock|entrance|turns)/.test(basename(target))) {
        const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
        if ((Number.parseInt(flags ?? "0", 8) & 3) !== 2) weakLocks.push(basename(target));
      }
    }
    return { weakLocks, descriptors: descriptors.length };
  } catch {
    // The injected fault may last on, and then this look fails too.
    return { weakLocks, descriptors: 0 };
  }
}

function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The listing's own descriptor is closed by now.
    return undefined;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\ncause: ${error.cause.stack}` : "";
  return `${error.stack}${cause}`;
}

/** Blocking, without the event loop: what the loop does would be counted among the calls under test. */
function readLine(): string | undefined {
  const piece = Buffer.alloc(64 * 1024);
  for (;;) {
    const end = pending.indexOf(0x0a);
    if (end >= 0) {
      const line = pending.toString("utf8", 0, end);
      pending = pending.subarray(end + 1);
      return line;
    }
    const length = readSync(0, piece, 0, piece.length, null);
    if (length === 0) return undefined;
    pending = Buffer.concat([pending, piece.subarray(0, length)]);
  }
}
