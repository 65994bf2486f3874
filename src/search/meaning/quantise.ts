export interface QuantisedRow {
  readonly row: Int8Array;
  readonly scale: number;
}

export interface QuantisedRows {
  /** One row after the other. */
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** A vector in a byte for each number: value ≈ scale · byte. All zeros have scale 0, which means “no meaning”. */
export function quantise(vector: Float32Array): QuantisedRow {
  const row = new Int8Array(vector.length);
  return { row, scale: quantiseInto(row, 0, vector) };
}

export function quantiseAll(vectors: readonly Float32Array[], dims: number): QuantisedRows {
  const rows = new Int8Array(vectors.length * dims);
  const scales = Float32Array.from(vectors, (vector, index) => quantiseInto(rows, index * dims, vector));
  return { rows, scales };
}

function quantiseInto(rows: Int8Array, start: number, vector: Float32Array): number {
  let greatest = 0;
  for (let at = 0; at < vector.length; at++) greatest = Math.max(greatest, Math.abs(vector[at] as number));
  // As it is kept: the bytes must fit the rounded scale.
  const scale = Math.fround(greatest / 127);
  if (scale === 0) return 0;
  for (let at = 0; at < vector.length; at++) {
    rows[start + at] = Math.max(-127, Math.min(127, Math.round((vector[at] as number) / scale)));
  }
  return scale;
}
