import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { toStorageError } from "../backends/files/storage-error.ts";
import { isRecollectError } from "../kernel/errors.ts";
import { type Unsettled, unsettledSchema } from "./unsettled.ts";

const failureSchema = z.object({ time: z.string(), message: z.string(), reason: z.string().optional() });

const statusSchema = z.object({
  format: z.literal(1),
  lastSuccess: z.string().optional(),
  /** Of the last attempt; undefined where it went well. */
  failure: failureSchema.optional(),
  /** How many attempts failed one after the other. */
  failures: z.int().min(0),
  /** Of the last sync that went well. */
  conflicts: z.int().min(0),
  /** Of all syncs, until a person has settled them. */
  unsettled: z.array(unsettledSchema).optional(),
  /** What was last looked through for purged values. */
  checked: z.object({ key: z.string(), tip: z.string() }).optional(),
});

export type SyncStatus = Omit<z.infer<typeof statusSchema>, "format" | "checked" | "unsettled">;

/** How syncs of one repository went, for whoever asks, and for the pauses between attempts. */
export interface SyncStatusFile {
  read(): z.infer<typeof statusSchema>;
  succeeded(now: number, conflicts: number): void;
  failed(now: number, error: unknown): void;
  noteUnsettled(unsettled: readonly Unsettled[]): void;
  noteChecked(checked: { readonly key: string; readonly tip: string }): void;
}

const fileName = "recollect-sync.json";
const fresh = { format: 1, failures: 0, conflicts: 0 } as const;

export function openSyncStatus(gitDir: string): SyncStatusFile {
  const file = join(gitDir, fileName);

  /** Derived: where it is damaged or newer, it is as if there had been no attempt yet. */
  function read(): z.infer<typeof statusSchema> {
    try {
      return statusSchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? fresh;
    } catch {
      return fresh;
    }
  }

  function write(status: z.infer<typeof statusSchema>): void {
    const draft = `${file}.new`;
    try {
      // A folder in the place of either holds nothing of a sync, and would stop every one of them.
      for (const path of [draft, file]) if (isFolder(path)) rmSync(path, { recursive: true });
      writeFileSync(draft, `${JSON.stringify(status)}\n`);
      renameSync(draft, file);
    } catch (error) {
      throw toStorageError(error, "note how the sync went");
    }
  }

  return {
    read,
    succeeded: (now, conflicts) => {
      const { failure: _, ...before } = read();
      write({ ...before, failures: 0, conflicts, lastSuccess: new Date(now).toISOString() });
    },
    failed: (now, error) => {
      const before = read();
      const reason = isRecollectError(error) ? error.data["reason"] : undefined;
      const message = isRecollectError(error) ? error.message : "It failed for an unknown reason.";
      const failure = { time: new Date(now).toISOString(), message, ...(reason ? { reason: String(reason) } : {}) };
      // Another process at work is no failure of the remote.
      const failures = reason === "busy" ? before.failures : before.failures + 1;
      try {
        write({ ...before, failures, failure });
      } catch {
        // On a full disk the reason itself is what the caller gets.
      }
    },
    noteUnsettled: (unsettled) => write({ ...read(), unsettled: [...unsettled] }),
    noteChecked: (checked) => write({ ...read(), checked }),
  };
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const firstPauseMs = 5_000;
const longestPauseMs = 10 * 60_000;

/** From when on an attempt that nobody asked for makes sense. */
export function nextAttempt({ failure, failures }: Pick<SyncStatus, "failure" | "failures">): number {
  if (!failure || failures === 0) return 0;
  return Date.parse(failure.time) + Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 20), longestPauseMs);
}
