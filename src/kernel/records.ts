import type * as z from "zod";
import type { RecollectError } from "./errors.ts";
import type { RefusedValues } from "./refused-values.ts";

export interface RecordsOptions<Entry> {
  /** One word for records of this kind. */
  readonly kind: string;
  readonly schema: z.ZodType<Entry>;
  /** Completes “read …” and “a record of …”. */
  readonly what: string;
  /** What to do about a damaged record, after it was removed. */
  readonly remedy: string;
}

export interface NamedRecord<Entry> {
  readonly name: string;
  readonly entry: Entry;
}

/** Small records of decisions, each under a name. */
export interface Records<Entry> {
  read(name: string): Promise<Entry | undefined>;
  write(name: string, entry: Entry): Promise<void>;
  /** Whether there was any. */
  remove(name: string): Promise<boolean>;
  /** One that cannot be read ends it, unless `onUnreadable` is told of it. */
  list(onUnreadable?: (error: RecollectError) => void): Promise<readonly NamedRecord<Entry>[]>;
  /** Another one whenever any was written or removed, by whichever process; cheap to ask for before each write. */
  stamp(): Promise<string>;
}

/** What every server of a memory must agree on, beside its documents: tokens, what the guard allows, purged values. */
export interface RecordPlace {
  open<Entry extends object>(options: RecordsOptions<Entry>): Records<Entry>;
  readonly purgedValues: RefusedValues;
}
