import { type DocumentKind, documentKinds } from "../unit.ts";

/** A document as a chunk keeps it beside its postings. */
export interface DocumentRow {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly kind: DocumentKind;
  readonly flagged: boolean;
  /** Of each unit, as a number such as 20250131; 0 where it has none. */
  readonly dates: ArrayLike<number>;
  /** Where what is shown of its first unit is kept; that of the others follows. */
  readonly shownAt: number;
}

/** The documents of a chunk, ascending by path, read in place. */
export interface DocumentTable {
  readonly count: number;
  readonly units: number;
  /** The first unit of each document, and at the end the number of units. */
  readonly firsts: Uint32Array;
  readonly dates: Int32Array;
  path(document: number): string;
  modified(document: number): number;
  kind(document: number): DocumentKind;
  flagged(document: number): boolean;
  /** Where what is shown of its first unit is kept; that of the others follows. */
  shownAt(document: number): number;
  documentOf(unit: number): number;
  /** −1 where no document has the path. */
  find(path: string): number;
}

const flag = 128;

export function packDocuments(rows: readonly DocumentRow[]): Uint8Array {
  const paths = rows.map((row) => Buffer.from(row.path, "utf8"));
  const units = rows.reduce((sum, row) => sum + row.dates.length, 0);
  const places = placesOf(rows.length, units);
  const bytes = new Uint8Array(places.paths + paths.reduce((sum, path) => sum + path.length, 0));
  const views = viewsOf(bytes, rows.length, units);
  views.head.set([rows.length, units]);
  let unit = 0;
  let position = 0;
  rows.forEach((row, index) => {
    views.modified[index] = row.modified;
    views.shownAt[index] = row.shownAt;
    views.firsts[index] = unit;
    views.offsets[index] = position;
    views.kinds[index] = documentKinds.indexOf(row.kind) | (row.flagged ? flag : 0);
    views.dates.set(row.dates, unit);
    unit += row.dates.length;
    const path = paths[index] as Buffer;
    bytes.set(path, places.paths + position);
    position += path.length;
  });
  views.firsts[rows.length] = unit;
  views.offsets[rows.length] = position;
  return bytes;
}

export function readDocuments(piece: Uint8Array): DocumentTable {
  const bytes = piece.byteOffset % 8 === 0 ? piece : piece.slice();
  const [count = 0, units = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  const views = viewsOf(bytes, count, units);
  const start = placesOf(count, units).paths;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { firsts, offsets } = views;

  function path(document: number): string {
    return text.toString("utf8", start + (offsets[document] as number), start + (offsets[document + 1] as number));
  }

  return {
    count,
    units,
    firsts,
    dates: views.dates,
    path,
    modified: (document) => views.modified[document] as number,
    kind: (document) => documentKinds[(views.kinds[document] as number) & ~flag] as DocumentKind,
    flagged: (document) => ((views.kinds[document] as number) & flag) !== 0,
    shownAt: (document) => views.shownAt[document] as number,
    documentOf: (unit) => lastUpTo(firsts, count, unit),
    find(wanted) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (path(middle) < wanted) low = middle + 1;
        else high = middle;
      }
      return low < count && path(low) === wanted ? low : -1;
    },
  };
}

/** The same of documents in memory. */
export function tableOf(rows: readonly DocumentRow[]): DocumentTable {
  const count = rows.length;
  const firsts = new Uint32Array(count + 1);
  for (let index = 0; index < count; index++) {
    firsts[index + 1] = (firsts[index] as number) + (rows[index] as DocumentRow).dates.length;
  }
  const units = firsts[count] as number;
  const dates = new Int32Array(units);
  for (const [index, { dates: own }] of rows.entries()) dates.set(own, firsts[index]);
  const row = (document: number) => rows[document] as (typeof rows)[number];
  return {
    count,
    units,
    firsts,
    dates,
    path: (document) => row(document).path,
    modified: (document) => row(document).modified,
    kind: (document) => row(document).kind,
    flagged: (document) => row(document).flagged,
    shownAt: (document) => row(document).shownAt,
    documentOf: (unit) => lastUpTo(firsts, count, unit),
    find: (path) => rows.findIndex((one) => one.path === path),
  };
}

/** The last document whose first unit does not come after this one: those without units come before. */
function lastUpTo(firsts: Uint32Array, count: number, unit: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firsts[middle] as number) <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What is eight bytes wide comes first, so that everything can be read where it lies. */
function placesOf(count: number, units: number) {
  const modified = 8;
  const shownAt = modified + count * 8;
  const firsts = shownAt + count * 8;
  const offsets = firsts + (count + 1) * 4;
  const dates = offsets + (count + 1) * 4;
  const kinds = dates + units * 4;
  return { modified, shownAt, firsts, offsets, dates, kinds, paths: kinds + count };
}

function viewsOf(bytes: Uint8Array, count: number, units: number) {
  const { buffer, byteOffset } = bytes;
  const places = placesOf(count, units);
  return {
    head: new Uint32Array(buffer, byteOffset, 2),
    modified: new Float64Array(buffer, byteOffset + places.modified, count),
    shownAt: new Float64Array(buffer, byteOffset + places.shownAt, count),
    firsts: new Uint32Array(buffer, byteOffset + places.firsts, count + 1),
    offsets: new Uint32Array(buffer, byteOffset + places.offsets, count + 1),
    dates: new Int32Array(buffer, byteOffset + places.dates, units),
    kinds: new Uint8Array(buffer, byteOffset + places.kinds, count),
  };
}
