/** What a person should look at after a merge. Nothing of it is lost. */
export type TreeConflict =
  /** Both sides changed the same lines: the other version lies beside it. */
  | { readonly kind: "both-changed"; readonly path: string; readonly beside: string }
  /** Both sides changed the same entries: both versions of them are in the document. */
  | { readonly kind: "entries-doubled"; readonly path: string; readonly titles: readonly string[] }
  /** One side deleted what the other changed: the change is kept. */
  | { readonly kind: "deleted-and-changed"; readonly path: string }
  /** Both sides renamed it, each in its own way: it is kept under both names. */
  | { readonly kind: "renamed-twice"; readonly path: string; readonly beside: string }
  /** A document of one side has the name of a folder of the other: it was moved beside it. */
  | { readonly kind: "document-and-folder"; readonly path: string; readonly beside: string }
  /** Two names that some file systems take for one; `beside` is undefined where both held the same. */
  | { readonly kind: "same-name"; readonly path: string; readonly other: string; readonly beside: string | undefined };
