/** What was used lately, within so many bytes: the half that was used last stays. */
export interface AgingCache<Value> {
  /** Made where it is not there. */
  get(key: number, make: () => Value): Value;
}

/** Of an entry, beside its value. */
const entryBytes = 150;

export function createAgingCache<Value>(maxBytes: number, bytesOf: (value: Value) => number): AgingCache<Value> {
  let young = new Map<number, Value>();
  let old = new Map<number, Value>();
  let youngBytes = 0;

  return {
    get(key, make) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const value = old.get(key) ?? make();
      young.set(key, value);
      youngBytes += bytesOf(value) + entryBytes;
      if (youngBytes >= maxBytes / 2) {
        old = young;
        young = new Map();
        youngBytes = 0;
      }
      return value;
    },
  };
}
