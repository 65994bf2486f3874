import { join } from "node:path";
import type * as z from "zod";
import { type NamedRecord, openRecordFiles } from "../backends/files/record-files.ts";
import type { RecollectError } from "../kernel/errors.ts";

export interface RecordsOptions<Entry> {
  /** One word for records of this kind. */
  readonly kind: string;
  readonly schema: z.ZodType<Entry>;
  /** Completes “read …” and “a record of …”. */
  readonly what: string;
  /** What to do about a damaged record, after it was removed. */
  readonly remedy: string;
}

/** Small records of decisions, each under a name, wherever they are kept. */
export interface Records<Entry> {
  read(name: string): Promise<Entry | undefined>;
  write(name: string, entry: Entry): Promise<void>;
  /** Whether there was any. */
  remove(name: string): Promise<boolean>;
  /** One that cannot be read ends it, unless somebody is told of it. */
  list(onUnreadable?: (error: RecollectError) => void): Promise<readonly NamedRecord<Entry>[]>;
  /** Another one whenever any was written or removed, by whichever process; cheap to ask for before each write. */
  stamp(): Promise<string>;
}

/** Where all records are kept that every server of a memory must agree on. */
export interface RecordPlace {
  open<Entry extends object>(options: RecordsOptions<Entry>): Records<Entry>;
}

/** In the data folder of the user. */
export function recordsInFolder(folder: string): RecordPlace {
  return {
    open: ({ kind, ...options }) => {
      const files = openRecordFiles({ folder: join(folder, kind), ...options });
      return {
        read: async (name) => files.read(name),
        write: async (name, entry) => files.write(name, entry),
        remove: async (name) => files.remove(name),
        list: async (onUnreadable) => files.list(onUnreadable),
        stamp: files.stamp,
      };
    },
  };
}
