import type { ExistingPath } from "../kernel/document-path.ts";
import { RecollectError } from "../kernel/errors.ts";
import { type Rev, revisionOf } from "../kernel/revision.ts";
import type { Operation, RootHistory } from "../kernel/root-history.ts";
import { textOf } from "./document-text.ts";
import { type Revision, revisionsOf } from "./find-revision.ts";

/** How a file of entries is read and written; history knows nothing of topics. */
export interface EntryFormat {
  /** The bytes of the entry of this title, as text; undefined where there is none. */
  find(text: string, title: string): string | undefined;
  /** The file with this entry in the place of the one of that title, or as its newest. */
  put(text: string, title: string, entry: string): string;
}

/** One entry as an operation left it. */
export interface EntryRevision {
  readonly operation: Operation;
  readonly title: string;
  /** Of the entry's own bytes; undefined where the operation took it out of the file. */
  readonly rev: Rev | undefined;
  readonly was: Rev | undefined;
  readonly text: string | undefined;
}

const contentsAtOnce = 64;

/** The operations that changed one entry of a document, newest first. */
export async function* entryRevisions(
  history: RootHistory,
  path: ExistingPath,
  title: string,
  format: EntryFormat,
): AsyncGenerator<EntryRevision> {
  let newer: { readonly operation: Operation; readonly text: string | undefined } | undefined;
  for await (const { operation, text } of entryTexts(history, path, title, format)) {
    if (newer && newer.text !== text) yield toRevision(newer, title, text);
    newer = { operation, text };
  }
  if (newer?.text !== undefined) yield toRevision(newer, title, undefined);
}

function toRevision(
  { operation, text }: { readonly operation: Operation; readonly text: string | undefined },
  title: string,
  before: string | undefined,
): EntryRevision {
  return { operation, title, rev: revOf(text), was: revOf(before), text };
}

function revOf(text: string | undefined): Rev | undefined {
  return text === undefined ? undefined : revisionOf(Buffer.from(text));
}

async function* entryTexts(history: RootHistory, path: ExistingPath, title: string, format: EntryFormat) {
  for await (const some of inGroups(revisionsOf(history, path))) {
    const contents = await history.contents(
      some.map(({ operation: { id }, change: { path: at, rev } }) => ({ id, path: at, side: "after" as const, rev })),
    );
    for (const [index, { operation }] of some.entries()) {
      const bytes = contents[index];
      const file = bytes && textOf(bytes);
      yield { operation, text: file === undefined ? undefined : format.find(file, title) };
    }
  }
}

async function* inGroups(revisions: AsyncIterable<Revision>): AsyncGenerator<Revision[]> {
  let group: Revision[] = [];
  for await (const revision of revisions) {
    group.push(revision);
    if (group.length < contentsAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** By the beginning of the entry's or the operation's id, `~1`, or the newest that has a text where none is given. */
export async function findEntryRevision(
  revisions: AsyncIterable<EntryRevision>,
  title: string,
  rev: string | undefined,
): Promise<EntryRevision> {
  const back = Number(/^~([0-9]{1,9})$/.exec(rev ?? "")?.[1] ?? Number.NaN);
  let index = 0;
  for await (const revision of revisions) {
    const isIt = Number.isNaN(back) ? isNamed(revision, rev) : index === back;
    if (isIt) return revision;
    index += 1;
  }
  throw new RecollectError("NOT_FOUND", `There is no such revision of the entry “${title}”. See its log.`);
}

function isNamed({ rev, text, operation }: EntryRevision, id: string | undefined): boolean {
  if (id === undefined) return text !== undefined;
  if (!/^[0-9a-f]{4,64}$/.test(id)) return false;
  return (rev?.startsWith(id) ?? false) || operation.id.startsWith(id);
}
