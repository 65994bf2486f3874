import { RecollectError } from "../kernel/errors.ts";
import { diffLines } from "../text/diff-lines.ts";
import { unifiedText } from "../text/unified-text.ts";
import type { BlamedLine } from "./blame.ts";
import { type EntryFormat, type EntryRevision, findEntryRevision } from "./entry-history.ts";

export interface EntryDiff {
  /** Undefined where there was nothing before. */
  readonly from: EntryRevision | undefined;
  readonly to: EntryRevision;
  /** As `diff -u` shows it. */
  readonly text: string;
}

/** Without `from`, against the revision before. `revisions` begins anew with each call. */
export async function diffEntry(
  revisions: () => AsyncIterable<EntryRevision>,
  title: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<EntryDiff> {
  const after = await findEntryRevision(revisions(), title, to ?? "~0");
  const before =
    from === undefined ? await revisionBefore(revisions(), after) : await findEntryRevision(revisions(), title, from);
  const nameOf = (one: EntryRevision | undefined, side: string) =>
    one?.text === undefined ? "/dev/null" : `${side}/${title}`;
  const names = [nameOf(before, "a"), nameOf(after, "b")] as const;
  return { from: before, to: after, text: unifiedText(diffLines(before?.text ?? "", after.text ?? ""), { names }) };
}

async function revisionBefore(
  revisions: AsyncIterable<EntryRevision>,
  { operation }: EntryRevision,
): Promise<EntryRevision | undefined> {
  let isNext = false;
  for await (const revision of revisions) {
    if (isNext) return revision;
    isNext = revision.operation.id === operation.id;
  }
  return undefined;
}

/** Those of a document's lines that are the entry's. */
export function linesOfEntry(lines: readonly BlamedLine[], title: string, format: EntryFormat): readonly BlamedLine[] {
  const text = lines.map(({ line }) => line).join("");
  const entry = format.find(text, title);
  if (entry === undefined)
    throw new RecollectError("NOT_FOUND", `There is no entry “${title}” in it now. See its log.`);
  const from = text.indexOf(entry);
  let at = 0;
  return lines.filter(({ line }) => {
    const start = at;
    at += line.length;
    return start >= from && start < from + entry.length;
  });
}
