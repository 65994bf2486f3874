import type { ApiGuardFinding } from "./guard.ts";

/** GET /document?root=&path= */
export interface ApiDocument {
  readonly root: string;
  readonly path: string;
  /** What tools call it, such as a memory's name. */
  readonly name: string;
  readonly content: string;
  readonly rev: string;
  readonly modified: string;
  readonly readOnly: boolean;
  /** What the guard finds in it; the values are masked in no place but in the content itself. */
  readonly findings: readonly ApiGuardFinding[];
  /** The names of memories that it refers to with `mem:` and that are not there, of the first hundred. */
  readonly missing: readonly string[];
}

/** PUT /document. Answers ApiSaved; 409 with `data: ApiConflictData` where somebody was faster. */
export interface ApiSave {
  readonly root: string;
  readonly path: string;
  readonly content: string;
  /** The revision that was edited; null for a document that must be new. */
  readonly ifRev: string | null;
}

export interface ApiSaved {
  readonly root: string;
  readonly path: string;
  readonly rev: string | undefined;
}

export interface ApiConflictData {
  /** Undefined where it is gone now. */
  readonly current: { readonly rev: string; readonly content: string } | undefined;
}

/** DELETE /document?root=&path=&ifRev= answers ApiSaved. POST /document/move: ApiMove answers ApiMoved. */
export interface ApiMove {
  readonly root: string;
  readonly path: string;
  readonly to: string;
  readonly ifRev: string;
}

/** Memories are renamed, and what refers to them with them. */
export interface ApiMoved extends ApiSaved {
  /** The memories in which references were rewritten. */
  readonly rewritten: readonly string[];
  /** Those that still refer to the old name, since they may not be changed. */
  readonly notRewritten: readonly string[];
}
