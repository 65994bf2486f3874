import type { PurgedForm, PurgedValue } from "./purged-form.ts";

/** What was purged and may not be written again, as everybody knows it who writes to a memory (HIST-5). */
export interface RefusedValues {
  /** Learns what others purged; before anything is judged. */
  refresh(): Promise<void>;
  /** One that is in these bytes, as far as was learnt; undefined where none is. */
  find(bytes: Uint8Array): PurgedValue | undefined;
  /** All of them, as far as was learnt. */
  known(): readonly PurgedValue[];
  list(): Promise<readonly PurgedValue[]>;
  /** From now on it may be written again. False where it is not known. */
  remove(fingerprint: string): Promise<boolean>;
  /** All that is known of them, for another place that is to refuse them too. */
  forms(): Promise<readonly PurgedForm[]>;
  /** Takes over what such a place knows. */
  take(forms: readonly PurgedForm[]): Promise<void>;
  /** The forms of one value, which gets its name, or has it from before. */
  prepare(forms: readonly Uint8Array[], now: number): Promise<PreparedRefusal>;
}

/** A value that has its name, before anybody is refused for it. */
export interface PreparedRefusal extends PurgedValue {
  readonly isRegistered: boolean;
  /** Once this is done nobody writes it any more. */
  register(): Promise<void>;
}
