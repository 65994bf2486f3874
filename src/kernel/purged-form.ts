import { createHash, randomBytes } from "node:crypto";

/** A value that was purged, without the value. */
export interface PurgedValue {
  /** Names it in records, messages and reports. */
  readonly fingerprint: string;
  /** ISO 8601 in UTC. */
  readonly purgedAt: string;
}

/** One form of a value: a rolling hash finds candidates in one pass, the other says whether it is one. */
export interface PurgedForm extends PurgedValue {
  readonly salt: string;
  readonly length: number;
  readonly rolling: number;
  readonly sha256: string;
}

/** The forms of one value that was not known before. */
export function toPurgedForms(given: readonly Uint8Array[], now: number): readonly PurgedForm[] {
  const [first = Buffer.of()] = given;
  const salt = randomBytes(16).toString("hex");
  const value = { fingerprint: sha256Of(salt, first).slice(0, 16), purgedAt: new Date(now).toISOString() };
  return given.map((bytes) => ({
    ...value,
    salt,
    length: bytes.length,
    rolling: rollingOf(bytes, baseOf(salt)),
    sha256: sha256Of(salt, bytes),
  }));
}

/** One that is in these bytes; undefined where none is. */
export function findPurgedForm(forms: readonly PurgedForm[], bytes: Uint8Array): PurgedValue | undefined {
  const found = forms.find((form) => !placesOf(bytes, form).next().done);
  return found && { fingerprint: found.fingerprint, purgedAt: found.purgedAt };
}

/** Where any of them stands in these bytes; `to` is the place after the last one. */
export function purgedPlaces(
  forms: readonly PurgedForm[],
  bytes: Uint8Array,
): readonly { readonly from: number; readonly to: number }[] {
  return forms.flatMap((form) => [...placesOf(bytes, form)].map((from) => ({ from, to: from + form.length })));
}

/** Each value once. */
export function purgedValuesIn(forms: readonly PurgedForm[]): readonly PurgedValue[] {
  const values = forms.map(({ fingerprint, purgedAt }) => [fingerprint, { fingerprint, purgedAt }] as const);
  return [...new Map(values).values()];
}

export function isForm(value: unknown): value is PurgedForm {
  if (typeof value !== "object" || value === null) return false;
  const { salt, length, rolling, sha256, fingerprint, purgedAt } = value as Record<string, unknown>;
  return (
    [salt, sha256, fingerprint, purgedAt].every((one) => typeof one === "string") &&
    Number.isSafeInteger(length) &&
    Number(length) > 0 &&
    Number.isSafeInteger(rolling)
  );
}

/** One pass: what goes out of the window is taken off, what comes in is added. */
function* placesOf(bytes: Uint8Array, { salt, length, rolling, sha256 }: PurgedForm): Generator<number> {
  if (bytes.length < length) return;
  const base = baseOf(salt);
  let leading = 1;
  for (let at = 1; at < length; at += 1) leading = Math.imul(leading, base);
  let sum = rollingOf(bytes.subarray(0, length), base);
  for (let end = length; ; end += 1) {
    const from = end - length;
    if (sum === rolling && sha256Of(salt, bytes.subarray(from, end)) === sha256) yield from;
    if (end === bytes.length) return;
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
