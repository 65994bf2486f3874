import { RecollectError } from "./errors.ts";
import type { OperationSource, Written, WrittenOperation } from "./operation-source.ts";
import { type Rev, revisionOf } from "./revision.ts";

/** So many bytes of documents are held at once, or one document where it alone is larger. */
export const pieceBytes = 8 * 1024 * 1024;

/** In their order, with no more than so many bytes in each. */
export function inPieces<One extends { readonly size: number }>(all: Iterable<One>, most = pieceBytes): One[][] {
  const pieces: One[][] = [];
  let bytes = 0;
  for (const one of all) {
    const last = pieces.at(-1);
    if (last && bytes + one.size <= most) last.push(one);
    else pieces.push([one]);
    bytes = (last && pieces.at(-1) === last ? bytes : 0) + one.size;
  }
  return pieces;
}

/** Each content once, and each what its name says: a copy of what is damaged would look whole. */
export async function readPiece(
  source: OperationSource,
  written: readonly Written[],
): Promise<ReadonlyMap<Rev, Uint8Array>> {
  const wanted = [...new Map(written.map((one) => [one.rev, one])).values()];
  const found = await source.contents(wanted);
  return new Map(
    wanted.map(({ rev, path }, index) => {
      const bytes = found[index];
      if (bytes && revisionOf(bytes) === rev) return [rev, bytes];
      const says = `The revision ${rev} of “${path}” cannot be read, or is damaged. See: recollect verify`;
      throw new RecollectError("STORAGE_FAILED", says, { data: { path, rev } });
    }),
  );
}

/** So many changes are read at once. */
const changesAtOnce = 1000;

/** In their order, with no more than so many changes and bytes in each, or one operation where it alone has more. */
export async function* inBatches(
  operations: AsyncIterable<WrittenOperation>,
  mostChanges = changesAtOnce,
): AsyncGenerator<readonly WrittenOperation[]> {
  let [batch, changes, bytes]: [WrittenOperation[], number, number] = [[], 0, 0];
  for await (const operation of operations) {
    const size = operation.written.reduce((sum, one) => sum + one.size, 0);
    const isFull = changes + operation.changes.length > mostChanges || bytes + size > pieceBytes;
    if (batch.length > 0 && isFull) {
      yield batch;
      [batch, changes, bytes] = [[], 0, 0];
    }
    batch.push(operation);
    changes += operation.changes.length;
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
