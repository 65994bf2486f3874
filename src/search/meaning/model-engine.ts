/** A model as it runs in its thread. */
export interface ModelEngine {
  readonly dims: number;
  /** One vector for each text; of any length, the thread brings them to 1. */
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>;
}

/** Where a model lies. */
export interface ModelPlace {
  readonly folder: string;
}

export interface ModelRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export type ModelReply =
  | { readonly kind: "ready"; readonly dims: number }
  /** All vectors one after the other. */
  | { readonly kind: "vectors"; readonly id: number; readonly numbers: Float32Array }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string }
  | { readonly kind: "unloadable"; readonly reason: string };
