import { counted } from "../kernel/counted.ts";
import type { ExistingPath } from "../kernel/document-path.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { DocumentChange, Operation, RootHistory } from "../kernel/root-history.ts";
import { operationsOf } from "./operations-of.ts";

/** A document as one operation left it. */
export interface Revision {
  readonly operation: Operation;
  readonly change: DocumentChange;
}

const pageSize = 256;

/** All revisions of a document, newest first, read as far as they are asked for. */
export async function* revisionsOf(history: RootHistory, path: ExistingPath): AsyncGenerator<Revision> {
  for (let after: string | undefined; ; ) {
    const page = await history.log({ path, limit: pageSize, after });
    for (const operation of page.operations) {
      const change = operation.changes[0];
      if (change) yield { operation, change };
    }
    if (page.next === undefined) return;
    after = page.next;
  }
}

/**
 * What a caller means by a revision: the beginning of a revision's or an operation's id, `~2` for the second before the
 * newest, or nothing for the newest. Throws NOT_FOUND, and INVALID_ARGUMENT where several begin so.
 */
export async function findRevision(
  history: RootHistory,
  path: ExistingPath,
  rev: string | undefined,
): Promise<Revision> {
  const back = rev === undefined ? 0 : Number(/^~([0-9]{1,9})$/.exec(rev)?.[1] ?? Number.NaN);
  if (Number.isNaN(back)) return findById(history, path, rev ?? "");
  let index = 0;
  for await (const revision of revisionsOf(history, path)) {
    if (index === back) return revision;
    index += 1;
  }
  throw noRevision(path, rev, index);
}

async function findById(history: RootHistory, path: ExistingPath, id: string): Promise<Revision> {
  if (!/^[0-9a-f]{4,64}$/.test(id)) {
    const says = "A revision is at least the first four digits of its id, or ~1 for the one before the newest.";
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  let found: Revision | undefined;
  let count = 0;
  for await (const revision of revisionsOf(history, path)) {
    count += 1;
    const { operation, change } = revision;
    if (change.rev === id || operation.id === id) return revision;
    if (!change.rev?.startsWith(id) && !operation.id.startsWith(id)) continue;
    if (found && found.change.rev !== change.rev) throw ambiguous(id);
    found ??= revision;
  }
  const revision = found ?? (await findFormer(history, path, id));
  if (revision) return revision;
  throw noRevision(path, id, count);
}

/** A version of another document that had this name before: the log of a document follows it to where it came from. */
async function findFormer(history: RootHistory, path: ExistingPath, id: string): Promise<Revision | undefined> {
  const slash = path.lastIndexOf("/");
  const folder = slash < 0 ? {} : { folder: path.slice(0, slash) as ExistingPath };
  let found: Revision | undefined;
  for await (const operation of operationsOf(history, folder)) {
    const change = operation.changes.find((one) => one.path === path);
    if (!change || !(change.rev?.startsWith(id) || operation.id.startsWith(id))) continue;
    if (found && found.change.rev !== change.rev) throw ambiguous(id);
    found ??= { operation, change };
  }
  return found;
}

/** The revision before one; undefined where it is the first. */
export async function findBefore(
  history: RootHistory,
  path: ExistingPath,
  { operation }: Revision,
): Promise<Revision | undefined> {
  let isNext = false;
  for await (const revision of revisionsOf(history, path)) {
    if (isNext) return revision;
    isNext = revision.operation.id === operation.id;
  }
  return undefined;
}

/** The bytes that it left; undefined where it left none. */
export async function bytesAfter(
  history: RootHistory,
  { operation, change }: Revision,
): Promise<Uint8Array | undefined> {
  if (change.rev === undefined) return undefined;
  const [bytes] = await history.contents([{ id: operation.id, path: change.path, side: "after", rev: change.rev }]);
  return bytes;
}

function noRevision(path: string, rev: string | undefined, count: number): RecollectError {
  if (count === 0) return new RecollectError("NOT_FOUND", `There is no history of “${path}”.`, { data: { path } });
  const says = `“${path}” has ${counted(count, "revision")}, and ${rev ?? "none"} is none of them. See its log.`;
  return new RecollectError("NOT_FOUND", says, { data: { path, revisions: count } });
}

function ambiguous(id: string): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", `Several revisions begin with ${id}. Give more of its digits.`);
}
