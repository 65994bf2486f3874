import type { TrailPositions } from "../../kernel/trail.ts";
import type { Pace } from "../pace.ts";
import { parseMessage } from "./message.ts";
import { createRecordedDocuments, type RecordedDocuments } from "./recorded-documents.ts";
import type { Git } from "./run-git.ts";
import { readStateFile } from "./state-file.ts";
import { fromTreePath } from "./tree-path.ts";

/** What history holds at its tip, as the recorder needs it. A run changes the documents of the one it begins with. */
export interface RecordedState {
  readonly tip: string | undefined;
  /** Where the recorder stands in the journals. */
  readonly positions: TrailPositions;
  /** How many run ends those positions are spread over. */
  readonly depth: number;
  /** Whether what was there before anything was written down is not yet all in history. */
  readonly isImporting: boolean;
  readonly documents: RecordedDocuments;
}

/** Positions of all folders come again after so many runs. */
export const maxDepth = 32;

/** From the file that the last run left, or from the commits where it left none. */
export async function readState(
  folder: string,
  tip: string | undefined,
  { git, pace }: { readonly git: Git; readonly pace: Pace },
): Promise<RecordedState> {
  if (tip === undefined) {
    return { tip, positions: {}, depth: 0, isImporting: true, documents: createRecordedDocuments() };
  }
  const kept = await readStateFile(folder, tip, pace);
  if (kept) return kept;
  const documents = createRecordedDocuments();
  for (const [path, blob] of await listBlobs(tip, git)) {
    documents.set(path, blob, undefined);
    await pace.turn();
  }
  return { tip, documents, ...(await readPositions(tip, git)) };
}

/** What the commits alone say. */
export async function readCommits(
  tip: string,
  git: Git,
): Promise<Pick<RecordedState, "positions"> & { readonly blobs: ReadonlyMap<string, string> }> {
  const { positions } = await readPositions(tip, git);
  return { blobs: new Map(await listBlobs(tip, git)), positions };
}

async function listBlobs(tip: string, git: Git): Promise<Iterable<readonly [path: string, blob: string]>> {
  return parseListing(await git.run(["ls-tree", "-r", "-z", "--full-tree", tip]));
}

function* parseListing(listing: Buffer): Generator<readonly [path: string, blob: string]> {
  for (let from = 0, to = listing.indexOf(0); to >= 0; from = to + 1, to = listing.indexOf(0, from)) {
    const [, blob, path] = /^100644 blob ([0-9a-f]{40})\t(.+)$/s.exec(listing.toString("utf8", from, to)) ?? [];
    if (blob !== undefined && path !== undefined) yield [fromTreePath(path), blob];
  }
}

async function readPositions(
  tip: string,
  git: Git,
): Promise<Pick<RecordedState, "positions" | "depth" | "isImporting">> {
  const printed = await git.run(["log", "-z", "--format=%B", "--grep=^end {", `-n${maxDepth + 1}`, tip]);
  const ends = printed
    .toString("utf8")
    .split("\0")
    .flatMap((text) => parseMessage(text, () => false)?.end ?? []);
  const depth = ends[0]?.depth ?? 0;
  const used = ends.slice(0, depth + 1).reverse();
  return {
    depth,
    positions: Object.assign({}, ...used.map(({ positions }) => positions)) as TrailPositions,
    isImporting: ends[0]?.isImporting ?? false,
  };
}
