import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { openRecordFiles } from "../backends/files/records.ts";
import { userDataFolder } from "../settings/user-folders.ts";
import type { UserFolders } from "./client-places.ts";
import { clientNames } from "./clients.ts";

/** A stretch of a text that took the place of another. */
const step = z.object({
  at: z.number().int().nonnegative(),
  removed: z.string(),
  added: z.string(),
  /** Of the whole text afterwards. */
  sha256: z.string(),
});

const record = z.object({
  /** The absolute path. */
  file: z.string(),
  scope: z.enum(["user", "project", "shared"]),
  project: z.string(),
  clients: z.array(z.enum([...clientNames, "project"])),
  /** Whether there was a file before. */
  existed: z.boolean(),
  /** The folders that were made for it, the innermost first. */
  folders: z.array(z.string()),
  /** What looks like ours and was there before. */
  had: z.array(z.string()),
  steps: z.array(step),
});

/**
 * What `init` did to one file, so that `uninstall` can give it back byte for byte: no copy of the file, which may hold
 * the user's tokens, but what was put in, where.
 */
export type SetupRecord = z.infer<typeof record>;
type Step = z.infer<typeof step>;

export function stepBetween(before: string, after: string): Step {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - at;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const removed = before.slice(at, before.length - tail);
  return { at, removed, added: after.slice(at, after.length - tail), sha256: sha256Of(after) };
}

/** The steps up to the one that left this very text; none where it was changed since by another program. */
export function stepsTo(text: string, { steps }: SetupRecord): readonly Step[] {
  const sha256 = sha256Of(text);
  return steps.slice(0, steps.findLastIndex((each) => each.sha256 === sha256) + 1);
}

/** The text as it was before these steps. */
export function undoSteps(text: string, steps: readonly Step[]): string {
  return steps.reduceRight(
    (now, { at, removed, added }) => now.slice(0, at) + removed + now.slice(at + added.length),
    text,
  );
}

export interface SetupRecords {
  find(file: string): SetupRecord | undefined;
  write(kept: SetupRecord): void;
  forget(file: string): void;
  list(): SetupRecord[];
}

/** The records in the user's data folder. */
export function openSetupRecords({ home, platform, env = {} }: UserFolders): SetupRecords {
  const files = openRecordFiles<SetupRecord>({
    folder: join(userDataFolder({ home, platform, env }), "setup"),
    schema: record,
    what: "what was set up",
    remedy: " and run this again: what is ours is then found by what it looks like",
  });
  return {
    find: (file) => files.read(sha256Of(file)),
    write: (kept) => files.write(sha256Of(kept.file), kept),
    forget: (file) => void files.remove(sha256Of(file)),
    list: () => files.list().map(({ entry }) => entry),
  };
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
