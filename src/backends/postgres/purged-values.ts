import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { findPurgedForm, isForm, type PurgedForm, purgedValuesIn, toPurgedForms } from "../../kernel/purged-form.ts";
import type { RecordPlace } from "../../kernel/records.ts";
import type { RefusedValues } from "../../kernel/refused-values.ts";
import { createTtlCache } from "../../kernel/ttl-cache.ts";

/** Where all servers see the same; each knows within a second what another one purged. */
export function openPurgedValues(open: RecordPlace["open"], mostRecordAgeMs: number): RefusedValues {
  const records = open({
    kind: "purged-values",
    schema: z.object({ forms: z.array(z.custom<PurgedForm>(isForm)) }),
    what: "values that were purged",
    remedy: ", then purge them again",
  });
  let forms: readonly PurgedForm[] = [];
  const copy = createTtlCache({
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
        // For so long another server may go by what it knew.
        await delay(mostRecordAgeMs);
      };
      return { ...value, isRegistered: false, register };
    },
  };
}
