import * as z from "zod";
import { RecollectError } from "../kernel/errors.ts";
import type { RecordPlace } from "../kernel/records.ts";

/** A finding of the guard that a user allowed. The value is nowhere in it. */
export interface AllowedFinding {
  readonly fingerprint: string;
  readonly reason: string;
  readonly allowedAt: string;
}

/** What the guard lets pass, by fingerprint, each with a reason (GUARD-4). */
export interface AllowList {
  allow(fingerprint: string, reason: string): Promise<AllowedFinding>;
  revoke(fingerprint: string): Promise<boolean>;
  list(): Promise<AllowedFinding[]>;
  /** Another one whenever something was allowed or revoked, by whichever process; cheap to ask for before each write. */
  stamp(): Promise<string>;
}

const fingerprintForm = /^[0-9a-f]{32}$/;

export interface AllowListOptions {
  readonly records: Pick<RecordPlace, "open">;
  readonly now?: () => number;
}

export function openAllowList({ records: place, now = Date.now }: AllowListOptions): AllowList {
  const records = place.open<AllowedFinding>({
    kind: "guard-allowed",
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

  return {
    allow: async (fingerprint, reason) => {
      if (reason.trim() === "") {
        throw new RecollectError("INVALID_ARGUMENT", "Say why it is harmless: --reason “…”.");
      }
      const allowed = {
        fingerprint: checked(fingerprint),
        reason: reason.trim(),
        allowedAt: new Date(now()).toISOString(),
      };
      await records.write(fingerprint, allowed);
      return allowed;
    },
    stamp: records.stamp,
    revoke: async (fingerprint) => records.remove(checked(fingerprint)),
    list: async () =>
      (await records.list())
        // A record under another's name could not be revoked.
        .filter(({ name, entry }) => fingerprintForm.test(name) && entry.fingerprint === name)
        .map(({ entry }) => entry)
        .sort((left, right) => (left.allowedAt < right.allowedAt ? -1 : 1)),
  };
}
