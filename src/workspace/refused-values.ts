import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import {
  findPurgedForm,
  isForm,
  type PurgedForm,
  type PurgedValue,
  purgedValuesIn,
  toPurgedForms,
} from "../history/purged-form.ts";
import { openPurgedValues } from "../history/purged-values.ts";
import { mostRecordAgeMs } from "./database-records.ts";
import { createFreshCopy } from "./fresh-copy.ts";
import type { RecordPlace } from "./records.ts";

/** What was purged and may not be written again, as every server of a memory knows it (HIST-5). */
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

interface PreparedRefusal extends PurgedValue {
  readonly isRegistered: boolean;
  /** Once this is done nobody writes it any more. */
  register(): Promise<void>;
}

/** In a file of the user's data folder, which is read again whenever somebody changed it. */
export function refusedInFolder(folder: string): RefusedValues {
  const purged = openPurgedValues({ folder });
  return {
    refresh: async () => {},
    find: purged.find,
    known: purged.list,
    list: async () => purged.list(),
    remove: async (fingerprint) => purged.remove(fingerprint),
    forms: async () => purged.forms(),
    take: async (forms) => purged.take(forms),
    prepare: async (forms, now) => {
      const { register, ...value } = purged.prepare(forms, now);
      return { ...value, register: async () => register() };
    },
  };
}

/** Where all servers see the same; each knows within a second what another one purged. */
export function refusedInRecords(place: RecordPlace): RefusedValues {
  const records = place.open({
    kind: "purged-values",
    schema: z.object({ forms: z.array(z.custom<PurgedForm>(isForm)) }),
    what: "values that were purged",
    remedy: ", then purge them again",
  });
  let forms: readonly PurgedForm[] = [];
  const copy = createFreshCopy({
    mostMs: mostRecordAgeMs,
    load: async () => {
      forms = (await records.list()).flatMap(({ entry }) => entry.forms);
    },
  });

  async function learn(): Promise<void> {
    copy.drop();
    await copy.get();
  }

  return {
    refresh: copy.get,
    find: (bytes) => findPurgedForm(forms, bytes),
    known: () => purgedValuesIn(forms),
    list: async () => {
      await learn();
      return purgedValuesIn(forms);
    },
    remove: async (fingerprint) => {
      const isRemoved = await records.remove(fingerprint);
      await learn();
      return isRemoved;
    },
    forms: async () => {
      await learn();
      return forms;
    },
    take: async (taken) => {
      const values = Map.groupBy(taken, ({ fingerprint }) => fingerprint);
      for (const [fingerprint, own] of values) await records.write(fingerprint, { forms: own });
      await learn();
    },
    prepare: async (given, now) => {
      await learn();
      const before = findPurgedForm(forms, given[0] ?? Buffer.of());
      if (before) return { ...before, isRegistered: true, register: async () => {} };
      const added = toPurgedForms(given, now);
      const [value] = purgedValuesIn(added);
      if (!value) throw new RangeError("A value has at least one form.");
      const register = async () => {
        await records.write(value.fingerprint, { forms: [...added] });
        await learn();
        // So long others may go by what they knew.
        await delay(mostRecordAgeMs);
      };
      return { ...value, isRegistered: false, register };
    },
  };
}
