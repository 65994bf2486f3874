import type { Address } from "../kernel/store.ts";

/** A document that others have changed since: as the undone change left it, as it is, and as it was before. */
export interface ChangedSince {
  /** Undefined where it was gone. */
  readonly after: string | undefined;
  readonly now: string;
  readonly before: string | undefined;
}

/** What becomes of it: a text, undefined where nothing is left of it, or why it stays as it is. */
export type WithoutChange = { readonly text: string | undefined } | { readonly why: string };

/** What is known of documents that are more than lines, for whoever takes a change out of them. */
export interface UndoFormat {
  /** Undefined where lines decide. */
  undo(at: Address, changed: ChangedSince): WithoutChange | undefined;
  /** Whether all that changed in it is made of other documents, and will be made again. */
  isDerivedChange(at: Address, before: string | undefined, after: string | undefined): boolean;
  /** Whether one may lose what is undone in it only where the other gets it back. */
  needs(at: Address, other: Address): boolean;
}

export const plainLines: UndoFormat = {
  undo: () => undefined,
  isDerivedChange: () => false,
  needs: () => false,
};
