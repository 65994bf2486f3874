import { statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { RecollectError } from "../core/errors.ts";
import { openRecordFiles } from "./record-files.ts";

/** A finding of the guard that a user allowed. The value is nowhere in it. */
export interface AllowedFinding {
  readonly fingerprint: string;
  readonly reason: string;
  readonly allowedAt: string;
}

/** What the guard lets pass, by fingerprint, each with a reason (GUARD-4). */
export interface AllowList {
  allow(fingerprint: string, reason: string): AllowedFinding;
  revoke(fingerprint: string): boolean;
  list(): AllowedFinding[];
  /** Another one whenever something was allowed or revoked, by whichever process: the cost of one `stat`. */
  stamp(): string;
}

const fingerprintForm = /^[0-9a-f]{32}$/;

export function openAllowList({ folder, now = Date.now }: { folder: string; now?: () => number }): AllowList {
  const recordFolder = join(folder, "guard-allowed");
  const records = openRecordFiles<AllowedFinding>({
    folder: recordFolder,
    schema: z.object({ fingerprint: z.string(), reason: z.string(), allowedAt: z.string() }),
    what: "what you allow the guard to let pass",
    remedy: ", then run “recollect guard allow” again",
  });

  function checked(fingerprint: string): string {
    if (fingerprintForm.test(fingerprint)) return fingerprint;
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "A fingerprint has 32 hexadecimal digits. Take it from the refusal, or from recollect guard scan.",
    );
  }

  function isOwn(fingerprint: string): boolean {
    return records.read(fingerprint)?.fingerprint === fingerprint;
  }

  return {
    allow: (fingerprint, reason) => {
      if (reason.trim() === "") {
        throw new RecollectError("INVALID_ARGUMENT", "Say why it is harmless: --reason “…”.");
      }
      const allowed = {
        fingerprint: checked(fingerprint),
        reason: reason.trim(),
        allowedAt: new Date(now()).toISOString(),
      };
      records.write(fingerprint, allowed);
      return allowed;
    },
    stamp: () => String(statSync(recordFolder, { bigint: true, throwIfNoEntry: false })?.mtimeNs),
    revoke: (fingerprint) => records.remove(checked(fingerprint)),
    list: () =>
      records
        .list()
        // A record under another's name could not be revoked.
        .filter(({ fingerprint }) => fingerprintForm.test(fingerprint) && isOwn(fingerprint))
        .sort((left, right) => (left.allowedAt < right.allowedAt ? -1 : 1)),
  };
}
