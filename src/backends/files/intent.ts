import { renameSync, rmSync, writeSync } from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import { isObject, parseJson } from "../../kernel/json.ts";
import { isRev, type Rev } from "../../kernel/revision.ts";
import { auxiliaryNames, createFresh, shareWithFolder } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readPlainFile } from "./document-file.ts";
import { isName, isRecord, type JournalRecord } from "./journal-record.ts";
import { orClose } from "./journal-segment.ts";
import { formatVersion } from "./lock-image.ts";

/** One document of a multi-document commit, in the folder whose intent this is. */
export interface IntentStep {
  readonly name: string;
  /** What the document becomes; undefined removes it. Its bytes are staged as `new-<fresh>`. */
  readonly rev?: Rev | undefined;
  readonly was?: Rev | undefined;
  readonly fresh: number;
  /** Of the file that was staged, by which it is known from one of an earlier commit that had the same name. */
  readonly inode?: string | undefined;
}

/**
 * A folder's part of a multi-document commit. Each folder holds the steps for its own documents, so
 * that an intent that came with a clone can touch nothing but the folder it lies in. The commit is
 * decided once the intents of all its folders and all that they stage are on disk. That of the coordinating
 * folder is written last and removed first: without it the others mean nothing.
 */
export interface Intent {
  readonly batch: string;
  /** The coordinating folder, relative to this one; "" where it is this one. */
  readonly coordinator: string;
  /** All folders of the commit, relative to this one; only in the coordinator. */
  readonly folders: readonly string[];
  readonly steps: readonly IntentStep[];
  readonly records: readonly JournalRecord[];
}

const maxIntentBytes = 16 * 1024 * 1024;

/** Undefined where there is none, or where it is not one of ours. */
export function readIntent(auxiliary: Directory): Intent | undefined {
  const file = readPlainFile(auxiliary, auxiliaryNames.intent, maxIntentBytes);
  if (!file) return undefined;
  const parsed = parseJson(file.bytes.toString("utf8"));
  return isIntent(parsed) ? parsed : undefined;
}

/**
 * Puts it in its place and returns its descriptor, which the caller syncs together with the folder, and closes. Name
 * and content go to disk at the same time: one that a power cut leaves without content decides nothing.
 */
export function writeIntent(auxiliary: Directory, intent: Intent): number {
  const bytes = Buffer.from(`${JSON.stringify({ recollect: "intent", format: formatVersion, ...intent })}\n`);
  if (bytes.length > maxIntentBytes) throw tooMuch(intent.steps.length);
  const draft = auxiliary.at(auxiliaryNames.intentDraft);
  const descriptor = createFresh(draft, 0o600);
  return orClose(descriptor, () => {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    shareWithFolder(descriptor, auxiliary);
    renameSync(draft, auxiliary.at(auxiliaryNames.intent));
    return descriptor;
  });
}

/** What recovery could not read back must not be begun. */
function tooMuch(documents: number): RecollectError {
  return new RecollectError(
    "TOO_LARGE",
    `One operation over ${documents} documents of a folder is more than can be made safe at once. Do it in parts.`,
    { data: { documents } },
  );
}

export function removeIntent(auxiliary: Directory): void {
  rmSync(auxiliary.at(auxiliaryNames.intent), { force: true });
}

/** Names are checked like any others: an intent may have come with a clone. */
function isIntent(value: unknown): value is Intent {
  if (!isObject(value) || value["recollect"] !== "intent" || value["format"] !== formatVersion) return false;
  const { batch, coordinator, folders, steps, records } = value;
  return (
    typeof batch === "string" &&
    typeof coordinator === "string" &&
    isListOf(folders, (folder) => typeof folder === "string") &&
    isListOf(steps, isStep) &&
    isListOf(records, isRecord)
  );
}

function isStep(value: unknown): boolean {
  if (!isObject(value) || !isName(value["name"]) || !Number.isInteger(value["fresh"])) return false;
  if (value["inode"] !== undefined && typeof value["inode"] !== "string") return false;
  return [value["rev"], value["was"]].every((rev) => rev === undefined || (typeof rev === "string" && isRev(rev)));
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
