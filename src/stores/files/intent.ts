import { closeSync, constants, fchmodSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { z } from "zod";
import { isExistingPath } from "../../core/document-path.ts";
import type { Rev } from "../../core/revision.ts";
import { auxiliaryFileMode, auxiliaryNames } from "./auxiliary.ts";
import { type Directory, syncDescriptor } from "./directory.ts";
import { readPlainFile } from "./document-file.ts";
import type { JournalRecord } from "./journal.ts";
import { formatVersion } from "./lock-file.ts";

/** One document of a multi-document commit, in the folder whose intent this is. */
export interface IntentStep {
  readonly name: string;
  /** What the document becomes; undefined removes it. Its bytes are staged as `new-<fresh>`. */
  readonly rev?: Rev | undefined;
  readonly was?: Rev | undefined;
  readonly fresh: number;
}

/**
 * A folder's part of a multi-document commit. Each folder holds the steps for its own documents, so
 * that an intent that came with a clone can touch nothing but the folder it lies in. The commit is
 * decided by the intent of the coordinating folder, which is written last and removed first.
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

const segment = z.string().refine((name) => !name.includes("/") && isExistingPath(name));
const rev = z.string().regex(/^[0-9a-f]{32}$/);
const intentSchema = z.object({
  recollect: z.literal("intent"),
  format: z.number().int().max(formatVersion),
  batch: z.string(),
  coordinator: z.string(),
  folders: z.array(z.string()),
  steps: z.array(z.object({ name: segment, rev: rev.optional(), was: rev.optional(), fresh: z.number().int() })),
  records: z.array(z.looseObject({ kind: z.string(), name: segment })),
});

const maxIntentBytes = 16 * 1024 * 1024;

/** Undefined where there is none, or where it is not one of ours. */
export function readIntent(auxiliary: Directory): Intent | undefined {
  const file = readPlainFile(auxiliary, auxiliaryNames.intent, maxIntentBytes);
  if (!file) return undefined;
  const parsed = intentSchema.safeParse(parseJson(file.bytes.toString("utf8")));
  return parsed.success ? (parsed.data as unknown as Intent) : undefined;
}

/** Durable when it returns, together with every staged file of the folder. */
export async function writeIntent(auxiliary: Directory, intent: Intent, blocking: boolean): Promise<void> {
  const draft = auxiliary.at(auxiliaryNames.intentDraft);
  rmSync(draft, { force: true });
  const mode = auxiliaryFileMode(auxiliary);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(draft, flags, mode);
  try {
    const bytes = Buffer.from(`${JSON.stringify({ recollect: "intent", format: formatVersion, ...intent })}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fchmodSync(descriptor, mode);
    await syncDescriptor(descriptor, blocking);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, auxiliary.at(auxiliaryNames.intent));
  await auxiliary.sync(blocking);
}

export function removeIntent(auxiliary: Directory): void {
  rmSync(auxiliary.at(auxiliaryNames.intent), { force: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
