/** Bytes that grow as they are written; reused from one list to the next. */
export interface ByteWriter {
  bytes: Uint8Array;
  length: number;
}

export function createByteWriter(capacity = 8192): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 };
}

/** Makes room for `count` more bytes. */
export function reserve(writer: ByteWriter, count: number): void {
  if (writer.length + count <= writer.bytes.length) return;
  const grown = new Uint8Array(Math.max(writer.bytes.length * 2, writer.length + count));
  grown.set(writer.bytes.subarray(0, writer.length));
  writer.bytes = grown;
}

/** Seven bits a byte, the lowest first. */
export function writeNumber(writer: ByteWriter, value: number): void {
  reserve(writer, 5);
  let rest = value;
  while (rest > 127) {
    writer.bytes[writer.length++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  writer.bytes[writer.length++] = rest;
}

/** What another writer holds. Nearly always a few bytes, for which a call of `set` and its view cost more than the loop. */
export function writeWritten(writer: ByteWriter, { bytes: written, length }: ByteWriter): void {
  reserve(writer, length);
  const { bytes } = writer;
  if (length > 64) bytes.set(written.subarray(0, length), writer.length);
  else for (let index = 0; index < length; index++) bytes[writer.length + index] = written[index] as number;
  writer.length += length;
}

export function writtenBytes(writer: ByteWriter): Uint8Array {
  return writer.bytes.slice(0, writer.length);
}

/** Reads numbers as they were written; `position` moves on. */
export interface ByteCursor {
  readonly bytes: Uint8Array;
  position: number;
}

export function readNumber(cursor: ByteCursor): number {
  const { bytes } = cursor;
  let byte = bytes[cursor.position++] ?? 0;
  let value = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[cursor.position++] ?? 0;
    value |= (byte & 127) << shift;
  }
  return value >>> 0;
}
