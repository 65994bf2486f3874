import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RecollectError } from "../core/errors.ts";
import {
  findPurgedForm,
  isForm,
  type PurgedForm,
  type PurgedValue,
  purgedValuesIn,
  toPurgedForms,
} from "./purged-form.ts";

/** A value that has its name, before anybody is refused for it. */
interface PreparedValue extends PurgedValue {
  readonly isRegistered: boolean;
  register(): void;
}

/** What was purged, so that nothing brings it back: by salted hashes, from which nobody can read it. */
export interface PurgedValues {
  /** The forms of one value; again for one that is known gives its former name. */
  add(forms: readonly Uint8Array[], now: number): PurgedValue;
  /** The same for one that is refused only once it is registered. */
  prepare(forms: readonly Uint8Array[], now: number): PreparedValue;
  /** From now on it may be written again. False where it is not known. */
  remove(fingerprint: string): boolean;
  /** One that is in these bytes; undefined where none is. */
  find(bytes: Uint8Array): PurgedValue | undefined;
  list(): readonly PurgedValue[];
  /** All that is known of them, for another place that is to refuse them too. */
  forms(): readonly PurgedForm[];
  /** Takes over what such a place knows. */
  take(forms: readonly PurgedForm[]): void;
}

const fileName = "purged-values.json";

/** Kept in a file in this folder, for this user's eyes; read again whenever somebody changed it. */
export function openPurgedValues({ folder }: { readonly folder: string }): PurgedValues {
  const file = join(folder, fileName);
  let known: { readonly mark: string; readonly forms: readonly PurgedForm[] } | undefined;

  function forms(): readonly PurgedForm[] {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return [];
    const mark = `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
    if (known?.mark !== mark) known = { mark, forms: parse(readFileSync(file, "utf8")) };
    return known.forms;
  }

  function prepare(given: readonly Uint8Array[], now: number): PreparedValue {
    const [first = Buffer.of()] = given;
    const before = findPurgedForm(forms(), first);
    if (before) return { ...before, isRegistered: true, register: () => {} };
    const added = toPurgedForms(given, now);
    const [{ fingerprint = "", purgedAt = "" } = {}] = added;
    return { fingerprint, purgedAt, isRegistered: false, register: () => write(folder, file, [...forms(), ...added]) };
  }

  return {
    find: (bytes) => findPurgedForm(forms(), bytes),
    list: () => purgedValuesIn(forms()),
    remove: (fingerprint) => {
      const left = forms().filter((form) => form.fingerprint !== fingerprint);
      if (left.length === forms().length) return false;
      write(folder, file, left);
      return true;
    },
    forms,
    take: (taken) => {
      const known = new Set(forms().map(({ fingerprint }) => fingerprint));
      const added = taken.filter(({ fingerprint }) => !known.has(fingerprint));
      if (added.length > 0) write(folder, file, [...forms(), ...added]);
    },
    prepare,
    add: (given, now) => {
      const { fingerprint, purgedAt, register } = prepare(given, now);
      register();
      return { fingerprint, purgedAt };
    },
  };
}

function parse(text: string): PurgedForm[] {
  const parsed = parseJson(text);
  const values = typeof parsed === "object" && parsed !== null && "values" in parsed ? parsed.values : undefined;
  if (Array.isArray(values) && values.every(isForm)) return values;
  throw new RecollectError(
    "STORAGE_FAILED",
    `The record of purged values, “${fileName}” in your data folder, is damaged. Remove it, then purge them again.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function write(folder: string, file: string, values: readonly PurgedForm[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString("hex")}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify({ format: 1, values })}\n`, { flag: "wx", mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
