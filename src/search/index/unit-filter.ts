import type { DocumentKind } from "../unit.ts";
import type { ReadChunk } from "./chunk-reader.ts";
import { dateNumber, localDayNumber } from "./date-number.ts";

/** A document as a filter sees it. */
interface FilteredDocument {
  /** Which of the engine's indexes it is in. */
  readonly index: number;
  readonly path: string;
  readonly kind: DocumentKind;
  readonly flagged: boolean;
  readonly modified: number;
}

/** Which units count at all. */
export interface UnitFilter {
  readonly accepts?: (document: FilteredDocument) => boolean;
  /** YYYY-MM-DD, both included: the unit's own date, or the day its document was changed. */
  readonly since?: string;
  readonly until?: string;
}

/** Asks about each document once, and only about those that matter. Undefined where there is nothing to ask. */
export function createUnitTest(
  filter: UnitFilter | undefined,
  chunk: ReadChunk,
  index: number,
): ((unit: number) => boolean) | undefined {
  const { accepts, since, until } = filter ?? {};
  if (!accepts && since === undefined && until === undefined) return undefined;
  const from = dateNumber(since);
  const to = dateNumber(until) || Number.POSITIVE_INFINITY;
  const table = chunk.documents();
  const answers = new Map<number, boolean>();

  function isAccepted(document: number): boolean {
    const known = answers.get(document);
    if (known !== undefined) return known;
    const answer =
      accepts?.({
        index,
        path: table.path(document),
        kind: table.kind(document),
        flagged: table.flagged(document),
        modified: table.modified(document),
      }) ?? true;
    answers.set(document, answer);
    return answer;
  }

  return (unit) => {
    const document = table.documentOf(unit);
    if (!isAccepted(document)) return false;
    if (since === undefined && until === undefined) return true;
    const day = (table.dates[unit] as number) || localDayNumber(table.modified(document));
    return from <= day && day <= to;
  };
}
