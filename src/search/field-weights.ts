/** How much a word counts by where it stands. Lengths are in words. */
export interface FieldWeights {
  readonly body: number;
  /** Code past its first lines: it has many words that it is not about. */
  readonly code: number;
  readonly title: number;
  /** Breadcrumb, path and tags. */
  readonly context: number;
  /** The sections one and two steps away in the same document. */
  readonly near: readonly [number, number];
  /** How soon a repeated word stops to count. */
  readonly saturation: number;
  /** How much a long text is held against it, and the length that is neither long nor short. */
  readonly lengthShare: number;
  readonly pivot: number;
}

/** Constant, not averages of what is there: so a document's weights depend on that document alone. */
export const fieldWeights: FieldWeights = {
  body: 1,
  code: 0.4,
  title: 2,
  context: 0.7,
  near: [0.45, 0.2],
  saturation: 1,
  lengthShare: 0.5,
  pivot: 45,
};
