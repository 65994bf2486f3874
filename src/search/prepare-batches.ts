import { type Source, type SourceDocument, UnreadableDocument } from "../kernel/source.ts";
import type { Outdated } from "./find-changes.ts";
import type { IndexedDocument } from "./index/index-change.ts";
import { type IndexBatch, indexBatches, type OutdatedDocument } from "./index-batches.ts";
import { unsettledStamp } from "./unsettled-stamp.ts";

/** Weighs a document, and says whether the guard finds something in it. Undefined for one that is left out. */
export type Describe = (path: string, document: SourceDocument) => IndexedDocument | undefined;

export interface PrepareOptions {
  readonly source: Pick<Source, "read" | "readsAtOnce">;
  /** Loaded with the first document: most searches find nothing changed, and the guard alone is a tenth of a start. */
  readonly describer: () => Promise<Describe>;
  /** Whether a text of so many characters is left out for now. */
  readonly isLeft?: (path: string, characters: number) => boolean;
  /** Nobody wants more of it. */
  readonly isOver: () => boolean;
  /** Told how many more are weighed, which is most of the work. */
  readonly onWeighed?: (count: number) => void;
  /** Told of a document that cannot be read now: it stays in the index as it is. */
  readonly onUnreadable?: (path: string, failure: UnreadableDocument) => void;
  readonly now: () => number;
}

/** A document as it was read. */
type ReadDocument = OutdatedDocument<SourceDocument>;

/** Makes batches of outdated documents. */
export async function* prepareBatches(outdated: Outdated, options: PrepareOptions): AsyncGenerator<IndexBatch> {
  const describe = await options.describer();
  yield* indexBatches(described(read(outdated, options), describe, options.onWeighed), options.now);
}

function describeRead({ path, seen, document }: ReadDocument, describe: Describe): OutdatedDocument {
  return { path, seen, document: document && describe(path, document) };
}

async function* read(
  outdated: Iterable<[string, number | undefined]>,
  options: PrepareOptions,
): AsyncGenerator<ReadDocument> {
  const { readsAtOnce = 1 } = options.source;
  const ahead: Promise<ReadDocument | undefined>[] = [];
  for (const [path, seen] of outdated) {
    if (options.isOver()) break;
    ahead.push(readOne(path, seen, options));
    if (ahead.length < readsAtOnce) continue;
    yield* (await Promise.all(ahead)).filter((one) => one !== undefined);
    ahead.length = 0;
  }
  yield* (await Promise.all(ahead)).filter((one) => one !== undefined);
}

/** Undefined where it cannot be read, or is left out. */
async function readOne(
  path: string,
  seen: number | undefined,
  { source, onUnreadable, isLeft }: PrepareOptions,
): Promise<ReadDocument | undefined> {
  try {
    const document = await source.read(path);
    if (document && isLeft?.(path, document.content.length)) return undefined;
    return { path, seen, document: document?.stamp === 0 ? { ...document, stamp: unsettledStamp() } : document };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    onUnreadable?.(path, error);
    return undefined;
  }
}

async function* described(
  documents: AsyncIterable<ReadDocument>,
  describe: Describe,
  onWeighed: PrepareOptions["onWeighed"],
): AsyncGenerator<OutdatedDocument> {
  for await (const read of documents) {
    yield describeRead(read, describe);
    onWeighed?.(1);
  }
}
