import type { Workspace } from "../../index.ts";
import type { ApiDiffRow } from "./contract/history.ts";

/** More than anybody looks through, and than a page shows without trouble. */
const mostRows = 5000;

/** Undefined for what is no text. A side that is not there has no lines. */
export async function toRows(
  before: string | undefined,
  after: string | undefined,
  { texts }: Pick<Workspace, "texts">,
): Promise<{ readonly rows: readonly ApiDiffRow[] | undefined; readonly more?: number }> {
  if (before === undefined || after === undefined) return { rows: undefined };
  const { rows, more } = await texts.compare(before, after, mostRows);
  return { rows, ...(more > 0 ? { more } : {}) };
}
