import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RecollectError } from "../../kernel/errors.ts";
import { parseJson } from "../../kernel/json.ts";
import { findPurgedForm, isForm, type PurgedForm, purgedValuesIn, toPurgedForms } from "../../kernel/purged-form.ts";
import type { PreparedRefusal, RefusedValues } from "../../kernel/refused-values.ts";
import { makeFolders } from "./make-folders.ts";

const fileName = "purged-values.json";

/** Whether any value was purged for good, without loading what looks for one. */
export function hasPurgedValues(folder: string): boolean {
  return statSync(join(folder, fileName), { throwIfNoEntry: false }) !== undefined;
}

/**
 * By salted hashes, from which nobody can read them, in a file of this folder and for this user's eyes. It is read again
 * whenever somebody changed it, so there is nothing to learn beforehand.
 */
export function openPurgedValues({ folder }: { readonly folder: string }): RefusedValues {
  const file = join(folder, fileName);
  let known: { readonly mark: string; readonly forms: readonly PurgedForm[] } | undefined;

  function forms(): readonly PurgedForm[] {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return [];
    const mark = `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
    if (known?.mark !== mark) known = { mark, forms: parse(stat.isFile() ? readFileSync(file, "utf8") : "") };
    return known.forms;
  }

  async function prepare(given: readonly Uint8Array[], now: number): Promise<PreparedRefusal> {
    const [first = Buffer.of()] = given;
    const before = findPurgedForm(forms(), first);
    if (before) return { ...before, isRegistered: true, register: async () => {} };
    const added = toPurgedForms(given, now);
    const [{ fingerprint = "", purgedAt = "" } = {}] = added;
    const register = async () => write(folder, file, [...forms(), ...added]);
    return { fingerprint, purgedAt, isRegistered: false, register };
  }

  return {
    refresh: async () => {},
    find: (bytes) => findPurgedForm(forms(), bytes),
    known: () => purgedValuesIn(forms()),
    list: async () => purgedValuesIn(forms()),
    remove: async (fingerprint) => {
      const left = forms().filter((form) => form.fingerprint !== fingerprint);
      if (left.length === forms().length) return false;
      write(folder, file, left);
      return true;
    },
    forms: async () => forms(),
    take: async (taken) => {
      const known = new Set(forms().map(({ fingerprint }) => fingerprint));
      const added = taken.filter(({ fingerprint }) => !known.has(fingerprint));
      if (added.length > 0) write(folder, file, [...forms(), ...added]);
    },
    prepare,
  };
}

function parse(text: string): PurgedForm[] {
  const parsed = parseJson(text);
  const values = typeof parsed === "object" && parsed !== null && "values" in parsed ? parsed.values : undefined;
  if (Array.isArray(values) && values.every(isForm)) return values;
  throw new RecollectError(
    "STORAGE_FAILED",
    `The record of purged values, “${fileName}” in your data folder, is damaged, so nothing can be compared with it. Restore it from a backup, or delete it and purge the values again.`,
  );
}

function write(folder: string, file: string, values: readonly PurgedForm[]): void {
  makeFolders(folder, 0o700);
  const draft = `${file}.${randomBytes(8).toString("hex")}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify({ format: 1, values })}\n`, { flag: "wx", mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
