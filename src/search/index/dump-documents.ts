import type { QuantisedRows } from "../meaning/quantise.ts";
import type { ShownUnit } from "../shown-units.ts";
import type { DocumentKind } from "../unit.ts";
import { allTerms, type ChunkReader } from "./chunk-reader.ts";
import type { Connection } from "./connection.ts";
import { dateText } from "./date-number.ts";
import { readDocuments } from "./document-rows.ts";
import { DamagedIndexError } from "./index-failure.ts";
import type { KeptSnapshot } from "./index-snapshot.ts";
import { copyUnits, impactIn } from "./posting-list.ts";
import { readShown } from "./shown-rows.ts";
import type { StoredDocument } from "./stored-document.ts";

interface DumpedUnit {
  readonly date: string | undefined;
  /** Ascending. */
  readonly terms: [term: string, impact: number][];
  readonly vector: { readonly scale: number; readonly row: readonly number[] } | undefined;
  readonly shown: ShownUnit;
}

export interface DumpedDocument {
  readonly path: string;
  readonly folder: string;
  readonly stamp: number;
  readonly modified: number;
  readonly kind: DocumentKind;
  readonly flagged: boolean;
  readonly units: readonly DumpedUnit[];
}

/** All that is alive, ascending by path: equal for any two indexes of the same documents. */
export function dumpDocuments({ kept, tail }: KeptSnapshot, connection: Connection): DumpedDocument[] {
  const rows = new Map(readDocuments(connection).map((row) => [row.path, row]));
  const inChunks = kept.flatMap((chunk) => documentsOf(chunk).map((document) => ({ document, in: chunk.row.chunk })));
  const inTail = tail.map((document) => ({ document, in: 0 }));
  const documents = [...inChunks, ...inTail].map(({ document, in: chunk }) => {
    const row = rows.get(document.path);
    rows.delete(document.path);
    if (row?.chunk !== chunk)
      throw connection.failure(new DamagedIndexError("The index has lost the row of a document."));
    return { ...dumpDocument(document, connection), folder: row.folder, stamp: row.stamp };
  });
  if (rows.size > 0) throw connection.failure(new DamagedIndexError("Documents of the index lie in no chunk."));
  return documents.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function dumpDocument({ path, modified, kind, flagged, ...document }: StoredDocument, connection: Connection) {
  const places = Array.from(document.units.keys(), (unit) => document.shownAt + unit);
  const shown = readShown(connection, places);
  const units = document.units.map((terms, unit) => ({
    date: dateText(document.dates[unit] as number),
    terms: [...terms].sort(([left], [right]) => (left < right ? -1 : 1)),
    vector: document.vectors && vectorAt(document.vectors, unit, document.dimensions),
    shown: shown[unit] as ShownUnit,
  }));
  return { path, modified, kind, flagged, units };
}

function vectorAt({ scales, rows }: QuantisedRows, unit: number, dimensions: number): DumpedUnit["vector"] {
  const scale = scales[unit] as number;
  return scale > 0 ? { scale, row: [...rows.subarray(unit * dimensions, (unit + 1) * dimensions)] } : undefined;
}

/** Those of a chunk that are not hidden, put together from its postings. */
function documentsOf(chunk: ChunkReader): StoredDocument[] {
  const table = chunk.documents();
  const { dimensions } = chunk;
  const vectors = chunk.vectors();
  const units = Array.from({ length: table.units }, () => new Map<string, number>());
  for (const { term, list } of allTerms(chunk)) {
    const holders = new Uint32Array(list.count);
    copyUnits(list, holders);
    for (const unit of holders) units[unit]?.set(term, impactIn(list, unit));
  }
  const all = Array.from({ length: table.count }, (_, document) => document);
  return all
    .filter((document) => !chunk.hiddenDocuments.has(document))
    .map((document) => {
      const [first, end] = [table.firsts[document] as number, table.firsts[document + 1] as number];
      return {
        path: table.path(document),
        modified: table.modified(document),
        kind: table.kind(document),
        flagged: table.flagged(document),
        shownAt: table.shownAt(document),
        dates: [...table.dates.subarray(first, end)],
        units: units.slice(first, end),
        dimensions,
        vectors: vectors && {
          scales: vectors.scales.subarray(first, end),
          rows: vectors.rows.subarray(first * dimensions, end * dimensions),
        },
      };
    });
}
