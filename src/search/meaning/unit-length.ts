/** The vector at length 1, or undefined where it is none: a model or endpoint may answer anything. */
export function toUnitLength(values: ArrayLike<unknown>): Float32Array | undefined {
  const vector = new Float32Array(values.length);
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
    vector[at] = value;
    squares += value * value;
  }
  if (squares === 0 || !Number.isFinite(squares)) return undefined;
  const factor = 1 / Math.sqrt(squares);
  return vector.map((value) => value * factor);
}
