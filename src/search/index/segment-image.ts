/** What a segment is made of. */
export const pieceKinds = { block: 0, firsts: 1, documents: 2, words: 3, vectors: 4 } as const;
export type PieceKind = (typeof pieceKinds)[keyof typeof pieceKinds];

export interface Piece {
  readonly kind: PieceKind;
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** A segment before it has a number: everything that will be written. */
export interface SegmentImage {
  readonly documents: number;
  readonly units: number;
  /** 0 where no unit has a vector. */
  readonly dimensions: number;
  readonly pieces: readonly Piece[];
}

const numbersInKind = 2 ** 20;
const numbersInSegment = numbersInKind * 8;

/** All pieces of a segment lie beside each other in the table. */
export function pieceId(segment: number, kind: PieceKind, number: number): number {
  return segment * numbersInSegment + kind * numbersInKind + number;
}

export function pieceRange(segment: number): { readonly from: number; readonly until: number } {
  return { from: segment * numbersInSegment, until: (segment + 1) * numbersInSegment };
}
