import { sideBySide } from "../../app.ts";
import type { ApiDiffRow } from "./contract/history.ts";

/** More than anybody looks through, and than a page shows without trouble. */
const mostRows = 5000;

/** Undefined for what is no text. A side that is not there has no lines. */
export function toRows(
  before: string | undefined,
  after: string | undefined,
): { readonly rows: readonly ApiDiffRow[] | undefined; readonly more?: number } {
  if (before === undefined || after === undefined) return { rows: undefined };
  const rows = sideBySide(before, after);
  const more = rows.length - mostRows;
  return { rows: rows.slice(0, mostRows), ...(more > 0 ? { more } : {}) };
}
