import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { openRecordFiles } from "../backends/files/records.ts";
import { isSealedFolder } from "../backends/files/sealed-places.ts";
import { isRecollectError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";

/** The folders in which agents of this user keep files, wherever `--app-cache-dir` put them: a purge cleans them all. */
export interface KnownAgentPlaces {
  /** Nothing is held up by it: where it cannot be remembered, the log says so. */
  add(realPath: string): void;
  /** Those that are there and marked as theirs; the others are forgotten. */
  list(): string[];
}

export function openKnownAgentPlaces(dataFolder: string, log: Log): KnownAgentPlaces {
  const records = openRecordFiles({
    folder: join(dataFolder, "agent-places"),
    schema: z.object({ folder: z.string() }),
    what: "a folder of agents",
    remedy: "; it comes back when an agent is next started there",
  });
  const nameOf = (folder: string) => createHash("sha256").update(folder).digest("hex");

  function attempt(change: () => void): void {
    try {
      change();
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      log("warning", "agent places", { message: error.message });
    }
  }

  return {
    add: (folder) =>
      attempt(() => {
        if (!records.read(nameOf(folder))) records.write(nameOf(folder), { folder });
      }),
    list: () => {
      const all = records.list((error) => log("warning", "agent places", { message: error.message }));
      return all.flatMap(({ name, entry: { folder } }) => {
        if (isSealedFolder(folder)) return [folder];
        attempt(() => records.remove(name));
        return [];
      });
    },
  };
}
