import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { revisionOf } from "../src/app.ts";
import type { FilesStore } from "../src/backends/files/store.ts";
import { readTrail } from "../test/helpers/written-records.ts";
import type { Effects } from "./powercut-operations.ts";
import { addressOf } from "./powercut-operations.ts";
import type { Report } from "./powercut-writer.ts";

/** What the writer told before the cut. */
export interface Told {
  /** Text of every document by the acknowledged operations; null where it was removed. */
  readonly acknowledged: ReadonlyMap<string, string | null>;
  readonly operations: number;
  /** Documents changed by the acknowledged operations: each left a line in a journal. */
  readonly records: number;
  /** Texts that the acknowledged operations superseded: each is kept for history. */
  readonly superseded: readonly { readonly path: string; readonly text: string }[];
  /** Begun and neither acknowledged nor known to have failed without a trace. */
  readonly inFlight: Effects | undefined;
  readonly untyped: string | undefined;
}

export interface Verdict {
  readonly problems: readonly string[];
  /** What FORMAT.md allows a power cut to cost: records of the journals, and superseded revisions. */
  readonly lostRecords: number;
  readonly lostRevisions: number;
}

export function listen(reports: readonly Report[]): Told {
  const acknowledged = new Map<string, string | null>();
  const begun = new Map<number, Effects>();
  const superseded: { path: string; text: string }[] = [];
  let [operations, records] = [0, 0];
  let untyped: string | undefined;
  for (const report of reports) {
    if (report.kind === "begins") begun.set(report.serial, report.effects);
    // A refusal after the cut says nothing about what is on the disk: it may be either.
    if (report.kind === "refused" && !report.typed) untyped = report.message;
    if (report.kind !== "acknowledged") continue;
    const done = begun.get(report.serial) ?? {};
    begun.delete(report.serial);
    operations += 1;
    for (const [path, content] of Object.entries(done)) {
      const text = acknowledged.get(path) ?? null;
      if (text !== null) superseded.push({ path, text });
      acknowledged.set(path, content);
      records += 1;
    }
  }
  const [inFlight] = begun.values();
  return { acknowledged, operations, records, superseded, inFlight, untyped };
}

/** After remount and recovery: everything acknowledged is there, and the last operation whole or not at all. */
export async function check(folder: string, told: Told, store: FilesStore): Promise<Verdict> {
  const problems: string[] = told.untyped ? [`an untyped error: ${told.untyped}`] : [];
  const asked = Object.entries(told.inFlight ?? {});
  const isDone = asked.filter(([path, content]) => textAt(folder, path) === content);
  const isUndone = asked.filter(([path]) => textAt(folder, path) === (told.acknowledged.get(path) ?? null));
  if (isDone.length < asked.length && isUndone.length < asked.length) {
    problems.push(`half done: ${asked.map(([path]) => `${path} is ${brief(textAt(folder, path))}`).join("; ")}`);
  }
  for (const [path, content] of told.acknowledged) {
    if (told.inFlight && path in told.inFlight) continue;
    const found = textAt(folder, path);
    if (found !== content) problems.push(`lost: ${path} is ${brief(found)}, not ${brief(content)}`);
    const read = await store.read(store.resolve(addressOf(path))).catch((error: unknown) => String(error));
    if (typeof read === "string") problems.push(`unreadable: ${path}: ${read}`);
  }
  for (const path of documentsIn(folder)) {
    if (!told.acknowledged.has(path) && !(told.inFlight && path in told.inFlight)) problems.push(`appeared: ${path}`);
  }
  return { problems, ...(await countLosses(told, store)) };
}

async function countLosses(told: Told, store: FilesStore): Promise<{ lostRecords: number; lostRevisions: number }> {
  const { records, textOf } = await readTrail(store.trail("rig"));
  let lostRevisions = 0;
  for (const { path, text } of told.superseded) {
    if ((await textOf(path, revisionOf(Buffer.from(text)))) !== text) lostRevisions += 1;
  }
  return { lostRecords: Math.max(0, told.records - records.length), lostRevisions };
}

function textAt(folder: string, path: string): string | null {
  const place = join(folder, path);
  return existsSync(place) ? readFileSync(place, "utf8") : null;
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".recollect"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function brief(text: string | null): string {
  return text === null ? "missing" : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text);
}
