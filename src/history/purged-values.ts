import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RecollectError } from "../core/errors.ts";

/** A value that was purged, without the value. */
export interface PurgedValue {
  /** Names it in records, messages and reports. */
  readonly fingerprint: string;
  /** ISO 8601 in UTC. */
  readonly purgedAt: string;
}

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
}

/** One form of a value: a rolling hash finds candidates in one pass, the other says whether it is one. */
interface PurgedForm extends PurgedValue {
  readonly salt: string;
  readonly length: number;
  readonly rolling: number;
  readonly sha256: string;
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

  function find(bytes: Uint8Array): PurgedForm | undefined {
    return forms().find((form) => contains(bytes, form));
  }

  function prepare(given: readonly Uint8Array[], now: number): PreparedValue {
    const [first = Buffer.of()] = given;
    const before = toValue(find(first));
    if (before) return { ...before, isRegistered: true, register: () => {} };
    const salt = randomBytes(16).toString("hex");
    const value = { fingerprint: sha256Of(salt, first).slice(0, 16), purgedAt: new Date(now).toISOString() };
    const added = given.map((bytes) => ({
      ...value,
      salt,
      length: bytes.length,
      rolling: rollingOf(bytes, baseOf(salt)),
      sha256: sha256Of(salt, bytes),
    }));
    return { ...value, isRegistered: false, register: () => write(folder, file, [...forms(), ...added]) };
  }

  return {
    find: (bytes) => toValue(find(bytes)),
    list: () => [...new Map(forms().map((form) => [form.fingerprint, { ...toValue(form) }])).values()] as PurgedValue[],
    remove: (fingerprint) => {
      const left = forms().filter((form) => form.fingerprint !== fingerprint);
      if (left.length === forms().length) return false;
      write(folder, file, left);
      return true;
    },
    prepare,
    add: (given, now) => {
      const { fingerprint, purgedAt, register } = prepare(given, now);
      register();
      return { fingerprint, purgedAt };
    },
  };
}

function toValue(form: PurgedForm | undefined): PurgedValue | undefined {
  return form && { fingerprint: form.fingerprint, purgedAt: form.purgedAt };
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

function isForm(value: unknown): value is PurgedForm {
  if (typeof value !== "object" || value === null) return false;
  const { salt, length, rolling, sha256, fingerprint, purgedAt } = value as Record<string, unknown>;
  return (
    [salt, sha256, fingerprint, purgedAt].every((one) => typeof one === "string") &&
    Number.isSafeInteger(length) &&
    Number(length) > 0 &&
    Number.isSafeInteger(rolling)
  );
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

/** One pass: what goes out of the window is taken off, what comes in is added. */
function contains(bytes: Uint8Array, { salt, length, rolling, sha256 }: PurgedForm): boolean {
  if (bytes.length < length) return false;
  const base = baseOf(salt);
  let leading = 1;
  for (let at = 1; at < length; at += 1) leading = Math.imul(leading, base);
  let sum = rollingOf(bytes.subarray(0, length), base);
  for (let end = length; ; end += 1) {
    const from = end - length;
    if (sum === rolling && sha256Of(salt, bytes.subarray(from, end)) === sha256) return true;
    if (end === bytes.length) return false;
    const without = (sum - Math.imul(bytes[from] ?? 0, leading)) | 0;
    sum = (Math.imul(without, base) + (bytes[end] ?? 0)) | 0;
  }
}

function rollingOf(bytes: Uint8Array, base: number): number {
  let sum = 0;
  for (const byte of bytes) sum = (Math.imul(sum, base) + byte) | 0;
  return sum;
}

/** Odd, so that no byte is lost; another for each value. */
function baseOf(salt: string): number {
  return Number.parseInt(salt.slice(0, 7), 16) | 1;
}

function sha256Of(salt: string, bytes: Uint8Array): string {
  return createHash("sha256").update(salt).update(bytes).digest("hex");
}
