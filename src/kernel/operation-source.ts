import type { ExistingPath } from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import type { Rev } from "./revision.ts";
import type { Operation } from "./root-history.ts";

/** What an operation left in one place, and under which name its history has the bytes. */
export interface Written {
  readonly path: ExistingPath;
  readonly rev: Rev;
  readonly key: string;
  readonly size: number;
}

/** An operation with what it left; the other documents that it changed are gone after it. */
export interface WrittenOperation extends Operation {
  /** Where the history stands after it. */
  readonly position: number;
  readonly written: readonly Written[];
}

/** A history from its beginning on, for a copy. It need not stand still meanwhile: what comes later is later. */
export interface OperationSource {
  /** Where it stood when it was opened. */
  readonly end: number;
  /** Where it stood after the operation of this id; undefined where it has none. */
  find(id: string): Promise<number | undefined>;
  /** Oldest first, up to the end. */
  operations(after: number): AsyncIterable<WrittenOperation>;
  /** All at once: the caller sees to it that they are not too many bytes. Undefined for what cannot be read. */
  contents(written: readonly Written[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Documents that no history has, since they are too large: they stay where they are. */
  readonly leftOut?: readonly string[];
}

/** A document, the revision that it has, and when it was changed, in milliseconds since 1970. */
export interface DocumentTime {
  readonly path: string;
  readonly rev: Rev;
  readonly modified: number;
}

/**
 * Where a copy goes on: after the operation that its target ends with. Whatever ends with another one was not copied
 * from there, or was written to since.
 */
export async function findResumePoint(
  source: OperationSource,
  last: string | undefined,
  target: string,
): Promise<number> {
  if (last === undefined) return 0;
  const position = await source.find(last);
  if (position !== undefined) return position;
  const says = `${target} holds something else already, or was written to since it was copied to.`;
  throw new RecollectError("NOT_ALLOWED", `${says} Choose an empty one, or copy the other way round.`);
}
