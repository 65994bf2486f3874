export type Parameter = Buffer | string | null;

/** A value as the database reads it; bytes go as they are. Throws where it is none, such as a time that is not one. */
export function toParameter(value: unknown): Parameter {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return toArray(value);
  return value instanceof Date ? value.toISOString() : String(value);
}

function toArray(values: readonly unknown[]): Buffer | string {
  return isBuffers(values) ? toByteArrays(values) : `{${values.map(toElement).join(",")}}`;
}

function isBuffers(values: readonly unknown[]): values is readonly Buffer[] {
  return values.length > 0 && values.every(Buffer.isBuffer);
}

/** The type `bytea`, as the database numbers it. */
const typeOfBytes = 17;

/** As the database itself would send it: one dimension, nothing that is null, counted from one. */
function toByteArrays(values: readonly Buffer[]): Buffer {
  const head = [1, 0, typeOfBytes, values.length, 1];
  return Buffer.concat([...head.map(toInteger), ...values.flatMap((value) => [toInteger(value.length), value])]);
}

function toInteger(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function toElement(value: unknown): string {
  const parameter = toParameter(value);
  if (parameter === null) return "NULL";
  const text = Buffer.isBuffer(parameter) ? `\\x${parameter.toString("hex")}` : parameter;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
