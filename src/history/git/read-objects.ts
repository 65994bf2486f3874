export interface GitObject {
  readonly id: string;
  readonly bytes: Buffer;
}

/** What is needed of git, whosever repository it is. */
interface ObjectReader {
  attempt(
    args: readonly string[],
    options: { readonly input: Iterable<Uint8Array>; readonly timeoutMs: number },
  ): Promise<{ readonly printed: Buffer }>;
}

const atOnce = 256;

/** Many objects, some at a time; one that cannot be read is passed over. */
export async function* readObjects(ids: readonly string[], git: ObjectReader): AsyncGenerator<GitObject> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const asked = ids.slice(from, from + atOnce);
    const { printed } = await git.attempt(["cat-file", "--batch"], {
      input: [Buffer.from(`${asked.join("\n")}\n`)],
      timeoutMs: 10 * 60_000,
    });
    yield* parseBatch(printed);
  }
}

function* parseBatch(printed: Buffer): Generator<GitObject> {
  for (let at = 0; at < printed.length; ) {
    const end = printed.indexOf("\n", at);
    if (end < 0) return;
    const [, id, size] = /^([0-9a-f]{40,64}) [a-z]+ ([0-9]+)$/.exec(printed.toString("utf8", at, end)) ?? [];
    const from = end + 1;
    if (id !== undefined && printed.length > from + Number(size)) {
      yield { id, bytes: printed.subarray(from, from + Number(size)) };
    }
    at = id === undefined ? from : from + Number(size) + 1;
  }
}
