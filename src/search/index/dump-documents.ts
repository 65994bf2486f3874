import type { ShownUnit } from "../shown-units.ts";
import type { DocumentKind } from "../unit.ts";
import type { Connection } from "./connection.ts";
import { dateText } from "./date-number.ts";
import { readDocuments } from "./document-rows.ts";
import { DamagedIndexError } from "./index-failure.ts";
import { copyUnits, impactIn } from "./posting-list.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { readShown } from "./shown-rows.ts";

interface DumpedUnit {
  readonly date: string | undefined;
  /** Ascending. */
  readonly terms: [term: string, impact: number][];
  vector: { readonly scale: number; readonly row: readonly number[] } | undefined;
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
export function dumpDocuments(segments: readonly SegmentReader[], connection: Connection): DumpedDocument[] {
  const rows = new Map(readDocuments(connection).map((row) => [row.path, row]));
  const dumped = segments.flatMap((segment) => dumpSegment(segment, connection));
  const documents = dumped.map((document) => {
    const row = rows.get(document.path);
    rows.delete(document.path);
    if (!row) throw connection.failure(new DamagedIndexError("The index has lost the row of a document."));
    return { ...document, folder: row.folder, stamp: row.stamp };
  });
  if (rows.size > 0) throw connection.failure(new DamagedIndexError("Documents of the index lie in no segment."));
  return documents.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function dumpSegment(segment: SegmentReader, connection: Connection) {
  const table = segment.documents();
  const units: Omit<DumpedUnit, "shown">[] = Array.from(table.dates, (date) => ({
    date: dateText(date),
    terms: [],
    vector: undefined,
  }));
  for (const { term, list } of segment.terms()) {
    const holders = new Uint32Array(list.count);
    copyUnits(list, holders);
    for (const unit of holders) units[unit]?.terms.push([term, impactIn(list, unit)]);
  }
  let next = 0;
  for (const { rows, scales } of segment.vectors()) {
    scales.forEach((scale, row) => {
      const unit = units[next++];
      const width = segment.dimensions;
      if (unit && scale > 0) unit.vector = { scale, row: [...rows.subarray(row * width, (row + 1) * width)] };
    });
  }
  return Array.from({ length: table.count }, (_, document) => document)
    .filter((document) => !segment.deadDocuments.has(document))
    .map((document) => {
      const own = units.slice(table.firsts[document], table.firsts[document + 1]);
      const first = table.shownAt(document);
      const shown = readShown(
        connection,
        Array.from(own.keys(), (index) => first + index),
      );
      return {
        path: table.path(document),
        modified: table.modified(document),
        kind: table.kind(document),
        flagged: table.flagged(document),
        units: own.map((unit, index) => ({ ...unit, shown: shown[index] as ShownUnit })),
      };
    });
}
