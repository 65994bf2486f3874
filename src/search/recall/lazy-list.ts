/** A list whose items are made when somebody first comes to them. */
export interface LazyList<Item> {
  /** Undefined beyond its end. */
  at(index: number): Item | undefined;
}

export function toLazyList<Item>(items: Iterable<Item>): LazyList<Item> {
  const coming = items[Symbol.iterator]();
  const made: Item[] = [];
  return {
    at: (index) => {
      while (made.length <= index) {
        const next = coming.next();
        if (next.done) return undefined;
        made.push(next.value);
      }
      return made[index];
    },
  };
}
