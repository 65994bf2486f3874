import type { FilesStore } from "../../backends/files/files-store.ts";
import type { Database } from "../../backends/postgres/database.ts";
import { type DocumentTime, setTimes } from "../../backends/postgres/document-times.ts";
import { openSpaceFilling } from "../../backends/postgres/fill-space.ts";
import type { WakeUp } from "../../backends/postgres/wake-up.ts";
import { openGitHistory } from "../../history/git/git-history.ts";
import { openGitOperations } from "../../history/git/git-operations.ts";
import { openRepository } from "../../history/git/repository.ts";
import { createGit } from "../../history/git/run-git.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { OperationSource } from "../../kernel/operation-source.ts";
import { inBatches, inPieces, readPiece } from "./content-pieces.ts";
import type { CopyReport, OnCopyProgress } from "./copy-progress.ts";
import { findStand } from "./find-stand.ts";

export interface CopyToSpaceOptions {
  readonly store: FilesStore;
  /** The root of it that is copied. */
  readonly root: string;
  readonly database: Database;
  readonly space: string;
  /** Told of the space, so that servers look at what was copied. */
  readonly wakeUp: Pick<WakeUp, "written">;
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly onProgress?: OnCopyProgress | undefined;
  /** So many changes go with one transaction. */
  readonly atOnce?: number | undefined;
}

const listedAtOnce = 2000;
const waitMs = 60_000;

/**
 * Copies a root of folders, with all that its history has, into a space that is empty or was copied to before. Each
 * transaction holds whole operations, so the last one in the space says where to go on after a kill (PG-3).
 */
export async function copyToSpace(options: CopyToSpaceOptions): Promise<CopyReport> {
  const { store, root, database, space, onProgress = () => {} } = options;
  const source = await openSource(options);
  const filling = openSpaceFilling(database, space, options.wakeUp);
  const stand = await filling.stand();
  const begin = await findStand(source, stand.operation, `The space “${space}”`);
  let [change, operations] = [stand.change, 0];
  onProgress({ stage: "history", done: begin, total: source.end });
  for await (const batch of inBatches(source.operations(begin), options.atOnce)) {
    const pieces = inPieces(batch.flatMap(({ written }) => written)).map((piece) => () => readPiece(source, piece));
    change = await filling.append(change, batch, pieces);
    operations += batch.length;
    onProgress({ stage: "history", done: batch.at(-1)?.position ?? begin, total: source.end });
  }
  const documents = await copyTimes(options);
  return { operations, documents, leftOut: store.trail(root).tooLarge() };
}

/** History first takes over what was written, and what was edited by hand. */
async function openSource({ store, root, env, now }: CopyToSpaceOptions): Promise<OperationSource> {
  const trail = store.trail(root);
  const history = openGitHistory({ trail, env, now });
  try {
    const caught = await history.catchUp({ waitMs });
    if (caught.kind === "none")
      throw new RecollectError("NOT_ALLOWED", caught.reason, { data: { reason: "no-history" } });
    if (caught.kind === "busy") throw new RecollectError("BUSY", "Another process records history. Try again.");
  } finally {
    await history.close();
  }
  const folder = trail.existingPlace();
  if (folder === undefined)
    return { end: 0, find: async () => undefined, operations: nothing, contents: async () => [] };
  const repository = openRepository(folder);
  repository.check();
  return openGitOperations(repository.tip(), createGit({ folder, env, isShared: repository.isShared }));
}

async function* nothing(): AsyncGenerator<never> {}

/** When a file was changed is on disk alone. Of what is another document by now, nothing is said. */
async function copyTimes({ store, root, database, space, onProgress = () => {} }: CopyToSpaceOptions): Promise<number> {
  let [changed, done] = [0, 0];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const { entries, next } = await store.list({ root, limit: listedAtOnce, details: true, after });
    const times = entries.flatMap(({ path, owner, details }): DocumentTime[] =>
      owner === root && details?.rev !== undefined ? [{ path, rev: details.rev, modified: details.modified }] : [],
    );
    if (times.length > 0) changed += await setTimes(database, space, times);
    done += times.length;
    onProgress({ stage: "documents", done, total: done });
    after = next;
  }
  return changed;
}
