/** Whole numbers that are added one after the other, in one list that is used again and again. */
export interface NumberList {
  values: Int32Array;
  length: number;
}

export function createNumberList(): NumberList {
  return { values: new Int32Array(1 << 10), length: 0 };
}

export function addNumber(list: NumberList, value: number): void {
  if (list.length === list.values.length) list.values = grown(list.values, Int32Array, list.length + 1);
  list.values[list.length] = value;
  list.length += 1;
}

/** Those of an array between two places. */
export function addNumbers(list: NumberList, from: Int32Array, start: number, end: number): void {
  const length = list.length + end - start;
  if (length > list.values.length) list.values = grown(list.values, Int32Array, length);
  for (let at = start; at < end; at += 1) list.values[list.length++] = from[at] as number;
}

/** A copy with room for more. */
export function grown<Values extends Int32Array | Uint16Array | Float64Array>(
  values: Values,
  type: new (length: number) => Values,
  least: number,
): Values {
  const larger = new type(Math.max(least, 2 * values.length));
  larger.set(values);
  return larger;
}
