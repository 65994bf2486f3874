/** How many tokens a text has. */
export type CountTokens = (text: string) => number;

/** Loads the tokenizer: 70 ms and 40 MB, so it is done by who counts, never at a start. */
export async function loadTokenCount(): Promise<CountTokens> {
  const { countEncoded } = await import("./token-encoding.ts");
  // The merging of a tokenizer takes the square of a run's length: 40,000 characters without a break took 7 s.
  const longRuns = /\p{L}{256}|\p{M}{256}|\s{256}|[^\s\p{L}\p{M}\p{N}]{256}/gu;
  return (text) => {
    let [tokens, from] = [0, 0];
    for (const run of text.matchAll(longRuns)) {
      const to = run.index + run[0].length;
      // One more for each cut: what merges across it may not be counted less than it is.
      tokens += countEncoded(text.slice(from, to)) + 1;
      from = to;
    }
    return tokens + countEncoded(text.slice(from));
  };
}
