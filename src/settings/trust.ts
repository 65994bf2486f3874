import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { openRecordFiles } from "../backends/files/records.ts";
import { realPathOf } from "./real-path.ts";

export interface TrustedFile {
  /** Real path of the file. */
  readonly file: string;
  readonly sha256: string;
  readonly trustedAt: string;
}

/** Which projects' settings files a user trusts, each bound to its place and its very content (CFG-2). */
export interface Trust {
  isTrusted(file: string, content: Uint8Array): boolean;
  trust(file: string, content: Uint8Array): TrustedFile;
  /** Whether there was anything to take back. */
  revoke(file: string): boolean;
  list(): TrustedFile[];
}

export interface TrustOptions {
  /** The user's data folder; records lie in `trust/` below it. */
  readonly folder: string;
  readonly now?: () => number;
}

/** One record a file, named by the hash of the trusted file's real path. */
export function openTrust({ folder, now = Date.now }: TrustOptions): Trust {
  const records = openRecordFiles<TrustedFile>({
    folder: join(folder, "trust"),
    schema: z.object({ file: z.string(), sha256: z.string(), trustedAt: z.string() }),
    what: "what you trust",
    remedy: ", then run “recollect trust” in the project again",
  });
  return {
    isTrusted: (file, content) => {
      const place = realPathOf(file);
      const record = records.read(hashOf(place));
      return record?.file === place && record.sha256 === hashOf(content);
    },
    trust: (file, content) => {
      const place = realPathOf(file);
      const trusted = { file: place, sha256: hashOf(content), trustedAt: new Date(now()).toISOString() };
      records.write(hashOf(place), trusted);
      return trusted;
    },
    revoke: (file) => records.remove(hashOf(realPathOf(file))),
    list: () =>
      records
        .list()
        .map(({ entry }) => entry)
        .sort((left, right) => (left.file < right.file ? -1 : 1)),
  };
}

function hashOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
