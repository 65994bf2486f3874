/** Whoever asks at the same moment is answered together: a round trip costs more than what is asked for. */
export function askTogether<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let waiting: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Answer>> } | undefined;
  return async (key) => {
    if (!waiting) {
      const keys = new Set<string>();
      const found = Promise.resolve().then(() => {
        waiting = undefined;
        return ask([...keys]);
      });
      waiting = { keys, found };
    }
    waiting.keys.add(key);
    return (await waiting.found).get(key);
  };
}
