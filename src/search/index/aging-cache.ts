/** What was used lately, within so many bytes: the half that was used last stays. */
export interface AgingCache<Value> {
  /** Made where it is not there. */
  get(key: number, make: () => Value): Value;
  /** The same of several that differ; those that are not there are made at once, of keys that are ascending. */
  getAll(keys: readonly number[], make: (keys: readonly number[]) => readonly Value[]): readonly Value[];
}

/** Of an entry, beside its value. */
const entryBytes = 150;

export function createAgingCache<Value>(maxBytes: number, bytesOf: (value: Value) => number): AgingCache<Value> {
  let young = new Map<number, Value>();
  let old = new Map<number, Value>();
  let youngBytes = 0;

  function keep(key: number, value: Value): Value {
    young.set(key, value);
    youngBytes += bytesOf(value) + entryBytes;
    if (youngBytes >= maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    return value;
  }

  function find(key: number): Value | undefined {
    const known = young.get(key);
    if (known !== undefined) return known;
    const former = old.get(key);
    return former === undefined ? undefined : keep(key, former);
  }

  return {
    get: (key, make) => find(key) ?? keep(key, make()),
    getAll(keys, make) {
      const found = keys.map(find);
      const missing = keys.filter((_, index) => found[index] === undefined).sort((left, right) => left - right);
      if (missing.length === 0) return found as Value[];
      const made = make(missing);
      missing.forEach((key, index) => {
        found[keys.indexOf(key)] = keep(key, made[index] as Value);
      });
      return found as Value[];
    },
  };
}
