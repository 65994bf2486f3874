/** A part of search that cannot be used now; search goes on without it and shows the reason as a warning. */
export interface Unavailable {
  readonly kind: "unavailable";
  /** For people; it holds no path of the host. */
  readonly reason: string;
  /** When it is worth asking again, for work in the background. */
  readonly retryAfterMs?: number;
}

export function isUnavailable(value: object): value is Unavailable {
  return "kind" in value && value.kind === "unavailable";
}

export function unavailable(reason: string, retryAfterMs?: number): Unavailable {
  return { kind: "unavailable", reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Texts to vectors of length 1, whose dot product says how near two meanings are. */
export interface Embedder {
  /** Vectors of equal names can be compared, others never. */
  readonly name: string;
  /** Undefined where it is known only from the first answer. */
  readonly dims: number | undefined;
  /** Never throws, and answers within a time limit: somebody is waiting for the search. */
  embedQuery(text: string): Promise<Float32Array | Unavailable>;
  /** One vector for each text, in their order; for work in the background. Throws only when the signal is aborted. */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | Unavailable>;
  close(): Promise<void>;
}
