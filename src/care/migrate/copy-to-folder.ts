import type { FilesStore } from "../../backends/files/files-store.ts";
import type { Database } from "../../backends/postgres/database.ts";
import { openSpaceOperations } from "../../backends/postgres/space-operations.ts";
import { isCopying } from "../../history/git/copying-mark.ts";
import { type GitCopy, openGitCopy } from "../../history/git/git-copy.ts";
import { openGitHistory } from "../../history/git/git-history.ts";
import type { CopiedOperation } from "../../history/git/write-copied.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { OperationSource, Written } from "../../kernel/operation-source.ts";
import type { Trail } from "../../kernel/trail.ts";
import { inBatches, inPieces, readPiece } from "./content-pieces.ts";
import type { CopyReport, OnCopyProgress } from "./copy-progress.ts";
import { findStand } from "./find-stand.ts";
import { placeCopied } from "./place-copied.ts";

export interface CopyToFolderOptions {
  readonly database: Database;
  readonly space: string;
  readonly store: FilesStore;
  /** The root of it that is copied to. */
  readonly root: string;
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly onProgress?: OnCopyProgress | undefined;
  /** So many operations become commits at once, and so many documents are put in their places. */
  readonly atOnce?: number | undefined;
}

const waitMs = 60_000;

/**
 * Copies a space, with all that its history has, into a root of folders that is empty or was copied to before. Commits
 * say which operation they are a copy of, and a mark in the history that its documents are still to come, so a copy
 * that was killed goes on where it was (PG-3).
 */
export async function copyToFolder(options: CopyToFolderOptions): Promise<CopyReport> {
  const { database, space, store, root, env, now } = options;
  const trail = store.trail(root);
  const refusal = trail.refusal();
  if (refusal !== undefined) throw new RecollectError("NOT_ALLOWED", refusal);
  const source = await openSpaceOperations(database, space);
  await prepareFolder(options, trail);
  const copy = await openGitCopy({ trail, env, now, atOnce: options.atOnce });
  let report: CopyReport;
  try {
    const begin = await findStand(source, await copy.last(), `The folder of “${root}”`);
    const resumed = copy.isPlacing() ? await placeCopied(copy, trail, options) : 0;
    if (begin < source.end) copy.begin();
    const operations = await copyHistory(source, begin, copy, options);
    copy.beginPlacing();
    const documents = resumed + (await placeCopied(copy, trail, options));
    report = { operations, documents, leftOut: [] };
  } finally {
    copy.close();
  }
  await settle(options, trail);
  return report;
}

/** Documents that no history tells of are not ours to replace, and to record them would make them so. */
async function prepareFolder({ store, root, env, now }: CopyToFolderOptions, trail: Trail): Promise<void> {
  await store.place(root, []);
  if (isCopying(trail.existingPlace())) return;
  if (trail.existingPlace() !== undefined) {
    const history = openGitHistory({ trail, env, now });
    const caught = await history.catchUp({ waitMs }).finally(() => history.close());
    if (caught.kind === "none") throw new RecollectError("NOT_ALLOWED", caught.reason);
    if (caught.kind === "busy") throw new RecollectError("BUSY", "Another process records history there. Try again.");
    return;
  }
  for (const { path } of trail.survey()) {
    const says = `The folder of “${root}” holds documents already, such as “${path}”. Choose an empty one.`;
    throw new RecollectError("NOT_ALLOWED", says, { data: { root } });
  }
}

async function copyHistory(
  source: OperationSource,
  begin: number,
  copy: GitCopy,
  { onProgress = () => {} }: CopyToFolderOptions,
): Promise<number> {
  let count = 0;
  async function* operations(): AsyncGenerator<CopiedOperation> {
    for await (const batch of inBatches(source.operations(begin))) {
      const pieces = inPieces(batch.flatMap(({ written }) => written));
      // A single piece is read once for the whole batch.
      const [first] = pieces.length === 1 ? [await readPiece(source, pieces[0] ?? [])] : [];
      for (const operation of batch) {
        count += 1;
        yield { operation, contents: () => (first ? one(first) : readAll(source, inPieces(operation.written))) };
      }
    }
  }
  const waiting = operations();
  onProgress({ stage: "history", done: begin, total: source.end });
  for (let at: number | undefined = begin; at !== undefined; ) {
    at = await copy.append(waiting);
    if (at !== undefined) onProgress({ stage: "history", done: at, total: source.end });
  }
  return count;
}

async function* one<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}

async function* readAll(source: OperationSource, pieces: readonly (readonly Written[])[]) {
  for (const piece of pieces) yield await readPiece(source, piece);
}

/** History learns which files it has looked at, and its packs become few. */
async function settle({ env, now }: CopyToFolderOptions, trail: Trail): Promise<void> {
  const history = openGitHistory({ trail, env, now });
  try {
    await history.catchUp({ waitMs });
    await history.maintain();
  } finally {
    await history.close();
  }
}
