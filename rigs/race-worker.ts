import { writeSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { toStorageError } from "../src/backends/files/storage-error.ts";
import { parseDocumentPath } from "../src/kernel/document-path.ts";
import type { RecollectError } from "../src/kernel/errors.ts";
import type { ListEntry } from "../src/kernel/store.ts";
import type { TrailPositions } from "../src/kernel/trail.ts";
import { openKernel } from "./open-kernel.ts";
import { marker, outsideRevisions, placeIn, raceFolders, racePaths } from "./race-place.ts";

/** One of the users of the store in rig:race; reports its counts and what it saw as lines of JSON. */
export interface RaceReport {
  /** By operation: how many brought a result, and how many were refused with a typed error. */
  readonly done: Record<string, { succeeded: number; refused: number }>;
  readonly codes: Record<string, number>;
  readonly violations: readonly string[];
}

const [base = ""] = process.argv.slice(2);
const place = placeIn(base);
const foreign = outsideRevisions(place.outside);
const { store, documents, isTyped } = openKernel(place.inside, 2000);
const stamp = { author: "race" };

const trail = store.trail("rig");

let report = emptyReport();
let sequence = 0;
let followed: TrailPositions = {};

function emptyReport() {
  return {
    done: {} as Record<string, { succeeded: number; refused: number }>,
    codes: {} as Record<string, number>,
    violations: [] as string[],
  };
}

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value;
}

function at(path = pick(racePaths)) {
  return { root: "rig", path: parseDocumentPath(path) };
}

function text(): string {
  sequence += 1;
  return `inside ${process.pid} ${sequence}\n`;
}

/** Whatever an operation answers, nothing in it may come from the outside. */
function inspect(operation: string, answer: unknown): void {
  const seen = JSON.stringify(answer) ?? "";
  if (seen.includes(marker)) report.violations.push(`${operation} showed the outside: ${seen.slice(0, 200)}`);
  for (const [rev] of seen.matchAll(/[0-9a-f]{32}/g)) {
    if (foreign.has(rev)) report.violations.push(`${operation} told a revision of the outside: ${seen.slice(0, 200)}`);
  }
}

async function read() {
  const found = await documents.read(at());
  return found && { content: found.content, rev: found.rev };
}

async function list(): Promise<readonly ListEntry[]> {
  const folder = pick([undefined, ...raceFolders]);
  const { entries } = await documents.list({
    root: "rig",
    details: Math.random() < 0.5,
    ...(folder ? { folder: at(folder).path } : {}),
  });
  return entries;
}

async function append() {
  const target = at();
  const found = await documents.read(target);
  if ((found?.content.length ?? 0) > 500) return documents.write(target, text(), stamp);
  return documents.append(target, text(), stamp);
}

async function commitSeveral() {
  const [first, second] = [at(), at()];
  if (first.path === second.path) return undefined;
  return documents.commit(
    [first, second],
    () => [
      { kind: "put", at: first, content: text() },
      { kind: "append", at: second, content: text() },
    ],
    stamp,
  );
}

/** As history follows the root, and takes over half of what it reads. */
async function follow() {
  try {
    const { records, positions } = await trail.records(followed);
    const { path, rev } = records.at(-1) ?? {};
    const bytes = path && rev && trail.bytesOf(path, rev);
    if (Math.random() < 0.5) {
      await trail.release(positions);
      followed = { ...followed, ...positions };
    }
    return { records, content: bytes && Buffer.from(bytes).toString("utf8") };
  } catch (error) {
    throw toStorageError(error, "follow the root");
  }
}

const mix: readonly [number, string, () => Promise<unknown>][] = [
  [50, "read", read],
  [20, "list", list],
  [9, "write", () => documents.write(at(), text(), stamp)],
  [6, "append", append],
  [7, "move", () => documents.move(at(), at(), stamp)],
  [5, "remove", () => documents.remove(at(), stamp)],
  [2, "commit", commitSeveral],
  [0.5, "history", follow],
  [0.5, "recover", () => store.recover()],
];
const total = mix.reduce((sum, [weight]) => sum + weight, 0);

function choose(): readonly [number, string, () => Promise<unknown>] {
  let left = Math.random() * total;
  const chosen = mix.find(([weight]) => {
    left -= weight;
    return left < 0;
  });
  return chosen ?? (mix[0] as (typeof mix)[number]);
}

async function operate(): Promise<void> {
  const [, operation, act] = choose();
  report.done[operation] ??= { succeeded: 0, refused: 0 };
  const counts = report.done[operation];
  try {
    inspect(operation, await act());
    counts.succeeded += 1;
  } catch (error) {
    counts.refused += 1;
    if (!isTyped(error)) {
      report.violations.push(`${operation} failed untyped: ${error instanceof Error ? error.stack : error}`);
      return;
    }
    const { message, data, code } = error as RecollectError;
    inspect(`the error of ${operation}`, { message, data });
    const exactly = data["system"] === undefined ? code : `${code} (${data["system"]})`;
    report.codes[exactly] = (report.codes[exactly] ?? 0) + 1;
    // A leak of descriptors would hide behind this typed error for the rest of the run.
    if (code === "TOO_MANY_OPEN_FILES") report.violations.push(`${operation}: ${message}`);
  }
}

// Ends with the rig, also where that was killed itself.
for (const rig = process.ppid; process.ppid === rig; ) {
  for (let count = 0; count < 200; count += 1) await operate();
  writeSync(1, `${JSON.stringify(report satisfies RaceReport)}\n`);
  report = emptyReport();
  await nextTurn();
}
