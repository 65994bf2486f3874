import type { ShownUnit } from "../shown-units.ts";
import type { DocumentKind, IndexedUnit } from "../unit.ts";

/** A document as it goes into the index. */
export interface IndexedDocument {
  readonly path: string;
  readonly folder: string;
  /** Of the bytes that were indexed; 0 where they must be looked at again. */
  readonly stamp: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly kind: DocumentKind;
  /** The guard finds something in it. */
  readonly flagged: boolean;
  readonly units: readonly IndexedUnit[];
  /** What answers show, one for each unit. */
  readonly shown: readonly ShownUnit[];
  /** One for each unit, or none at all. */
  readonly vectors?: readonly (Float32Array | undefined)[];
}

export interface IndexChange {
  readonly put: readonly IndexedDocument[];
  readonly remove: readonly string[];
  /**
   * The stamps that the index had when the documents were read (undefined: it had no such document). Where the index
   * has another one by now, another process was faster and may have read a later version: the document is left as it
   * is and named in the answer. Documents that are not listed here are replaced whatever the index has.
   */
  readonly seen?: ReadonlyMap<string, number | undefined>;
}

export interface ChangeOutcome {
  /** To be looked at again: the index was changed by another process in between. */
  readonly conflicts: readonly string[];
}
