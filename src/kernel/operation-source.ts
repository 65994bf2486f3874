import type { ExistingPath } from "./document-path.ts";
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

/** A history from its beginning on, for whoever copies it. It need not stand still meanwhile: what comes later is later. */
export interface OperationSource {
  /** Where it stood when it was opened. */
  readonly end: number;
  /** Where it stood after the operation of this id; undefined where it has none. */
  find(id: string): Promise<number | undefined>;
  /** Oldest first, up to the end. */
  operations(after: number): AsyncIterable<WrittenOperation>;
  /** All at once: whoever asks sees to it that they are not too many bytes. Undefined for what cannot be read. */
  contents(written: readonly Written[]): Promise<readonly (Uint8Array | undefined)[]>;
}
