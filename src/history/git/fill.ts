import type { FilesStore } from "../../backends/files/store.ts";
import type { FillReport, FillRequest } from "../../kernel/backend.ts";
import { inBatches, inPieces, readPiece } from "../../kernel/content-pieces.ts";
import { RecollectError } from "../../kernel/errors.ts";
import {
  type DocumentTime,
  findResumePoint,
  type OperationSource,
  type Written,
} from "../../kernel/operation-source.ts";
import type { Trail } from "../../kernel/trail.ts";
import { isCopying } from "./copying-mark.ts";
import { type GitCopy, openGitCopy } from "./git-copy.ts";
import { openGitHistory } from "./history.ts";
import { openGitOperations } from "./operations.ts";
import { placeCopied } from "./place-copied.ts";
import { openRepository } from "./repository.ts";
import { createGit } from "./run-git.ts";
import type { CopiedOperation } from "./write-copied.ts";

export interface FilledFolder {
  readonly store: Pick<FilesStore, "place">;
  readonly trail: Trail;
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const waitMs = 60_000;

/**
 * Fills a root of folders that is empty or was filled before. Commits say which operation they are a copy of, and a mark
 * in the history that its documents are still to come, so a copy that was killed goes on where it was (PG-3).
 */
export async function fillFolder(filled: FilledFolder, request: FillRequest): Promise<FillReport> {
  const { trail, env } = filled;
  const { source, atOnce } = request;
  const refusal = trail.refusal();
  if (refusal !== undefined) throw new RecollectError("NOT_ALLOWED", refusal);
  await prepareFolder(filled);
  const copy = await openGitCopy({ trail, env, now: Date.now, atOnce });
  const times = new Map<string, DocumentTime>();
  let report: FillReport;
  try {
    const begin = await findResumePoint(source, await copy.last(), `The folder of “${trail.root}”`);
    for await (const some of request.times()) for (const one of some) times.set(one.path, one);
    const place = () => placeCopied(copy, filled, { ...request, times });
    const resumed = copy.isPlacing() ? await place() : 0;
    if (begin < source.end) copy.begin();
    const operations = await copyHistory(begin, copy, request);
    copy.beginPlacing();
    report = { operations, documents: resumed + (await place()) };
  } finally {
    copy.close();
  }
  await settle(filled);
  return report;
}

/** What history has of a root of folders, once it has taken over what was written, and what was edited by hand. */
export async function openFolderOperations({
  trail,
  env,
}: Pick<FilledFolder, "trail" | "env">): Promise<OperationSource> {
  await catchUp({ trail, env }, { reason: "no-history" });
  const folder = trail.existingPlace();
  const leftOut = trail.tooLarge();
  if (folder === undefined) {
    return { end: 0, find: async () => undefined, operations: nothing, contents: async () => [], leftOut };
  }
  const repository = openRepository(folder);
  repository.check();
  const git = createGit({ folder, env, isShared: repository.isShared });
  return { ...(await openGitOperations(repository.tip(), git)), leftOut };
}

async function* nothing(): AsyncGenerator<never> {}

/** `data` says what it means for a copy that there is no history. */
async function catchUp(
  { trail, env }: Pick<FilledFolder, "trail" | "env">,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const history = openGitHistory({ trail, env, now: Date.now });
  const caught = await history.catchUp({ waitMs }).finally(() => history.close());
  if (caught.kind === "none") throw new RecollectError("NOT_ALLOWED", caught.reason, { data });
  if (caught.kind === "busy") throw new RecollectError("BUSY", "Another process records history there. Try again.");
}

/** Documents that no history tells of are not ours to replace, and to record them would make them so. */
async function prepareFolder({ store, trail, env }: FilledFolder): Promise<void> {
  const { root } = trail;
  await store.place(root, []);
  if (isCopying(trail.existingPlace())) return;
  if (trail.existingPlace() !== undefined) return catchUp({ trail, env });
  for (const { path } of trail.survey()) {
    const says = `The folder of “${root}” holds documents already, such as “${path}”. Choose an empty one.`;
    throw new RecollectError("NOT_ALLOWED", says, { data: { root } });
  }
}

async function copyHistory(
  begin: number,
  copy: GitCopy,
  { source, onProgress = () => {} }: FillRequest,
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
async function settle({ trail, env }: FilledFolder): Promise<void> {
  const history = openGitHistory({ trail, env, now: Date.now });
  try {
    await history.catchUp({ waitMs });
    await history.maintain();
  } finally {
    await history.close();
  }
}
