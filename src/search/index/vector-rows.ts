import type { QuantisedRows } from "../meaning/quantise.ts";

/** The scales of the rows, then the rows; a scale of 0 is a unit without a vector. */
export function packRows({ scales, rows }: QuantisedRows): Uint8Array {
  const bytes = new Uint8Array(scales.byteLength + rows.byteLength);
  new Float32Array(bytes.buffer, 0, scales.length).set(scales);
  new Int8Array(bytes.buffer, scales.byteLength).set(rows);
  return bytes;
}

export function readRows(piece: Uint8Array, dimensions: number): QuantisedRows {
  const bytes = piece.byteOffset % 4 === 0 ? piece : piece.slice();
  const count = bytes.length / (4 + dimensions);
  return {
    scales: new Float32Array(bytes.buffer, bytes.byteOffset, count),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + count * 4, count * dimensions),
  };
}
