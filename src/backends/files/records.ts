import { join } from "node:path";
import type { RecordPlace } from "../../kernel/records.ts";
import { openPurgedValues } from "./purged-values.ts";
import { openRecordFiles } from "./record-files.ts";

/** Records as files, in a folder for each kind below this one. */
export function recordsInFolder(folder: string): RecordPlace {
  return {
    open: ({ kind, ...options }) => {
      const files = openRecordFiles({ folder: join(folder, kind), ...options });
      return {
        read: async (name) => files.read(name),
        write: async (name, entry) => files.write(name, entry),
        remove: async (name) => files.remove(name),
        list: async (onUnreadable) => files.list(onUnreadable),
        stamp: async () => files.stamp(),
      };
    },
    purgedValues: openPurgedValues({ folder }),
  };
}
