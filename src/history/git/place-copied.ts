import type { PlacedDocument } from "../../backends/files/place-documents.ts";
import type { OnFillProgress } from "../../kernel/backend.ts";
import { inPieces } from "../../kernel/content-pieces.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { DocumentTime } from "../../kernel/operation-source.ts";
import { revisionOf } from "../../kernel/revision.ts";
import { blobId } from "./blob-id.ts";
import type { FilledFolder } from "./fill.ts";
import type { DocumentStep, GitCopy } from "./git-copy.ts";

interface PlaceOptions {
  readonly times: ReadonlyMap<string, DocumentTime>;
  readonly onProgress?: OnFillProgress | undefined;
  readonly atOnce?: number | undefined;
}

const defaultPlaced = 500;

/**
 * Brings the documents of the folder to what its history has by now. What goes, goes first: a document may take the
 * place of a folder. How many there were.
 */
export async function placeCopied(copy: GitCopy, filled: FilledFolder, options: PlaceOptions): Promise<number> {
  const { store, trail } = filled;
  const { root } = trail;
  const { times, onProgress = () => {}, atOnce = defaultPlaced } = options;
  const steps = await copy.steps();
  const gone = steps.filter(({ to }) => to === undefined);
  const made = steps.filter(({ to }) => to !== undefined);
  let done = 0;
  const tell = (more: number) => {
    done += more;
    onProgress({ stage: "documents", done, total: steps.length });
  };
  for (let from = 0; from < gone.length; from += atOnce) {
    const part = gone.slice(from, from + atOnce);
    await store.place(
      root,
      part.map((step) => toPlaced(step, undefined)),
    );
    tell(part.length);
  }
  if (gone.length > 0) {
    const paths = new Set<string>(made.map(({ path }) => path));
    await trail.removeEmpty((folder) => foldersAndItself(folder).some((one) => paths.has(one)));
  }
  for (let from = 0; from < made.length; from += atOnce) {
    for (const part of inPieces(made.slice(from, from + atOnce))) {
      await placePart(part, copy, filled, times);
      tell(part.length);
    }
  }
  copy.finish();
  return steps.length;
}

/** What a killed copy has placed already is neither read from history nor written again. */
async function placePart(
  part: readonly DocumentStep[],
  copy: GitCopy,
  { store, trail }: FilledFolder,
  times: PlaceOptions["times"],
): Promise<void> {
  const missing = part.filter(({ path, to }) => {
    const look = trail.look(path);
    return look.kind !== "document" || blobId(look.bytes) !== to;
  });
  const contents = await copy.read(missing.map(({ to }) => to ?? ""));
  const placed = missing.map((step, index) => {
    const bytes = contents[index];
    if (!bytes) throw new RecollectError("STORAGE_FAILED", `“${step.path}” cannot be read from the copied history.`);
    const time = times.get(step.path);
    return toPlaced(step, { bytes, modified: time?.rev === revisionOf(bytes) ? time.modified : undefined });
  });
  await store.place(trail.root, placed);
}

function toPlaced({ path, from }: DocumentStep, content: PlacedDocument["content"]): PlacedDocument {
  return { path, content, mayReplace: (there) => (there && blobId(there)) === from };
}

function foldersAndItself(folder: string): string[] {
  const segments = folder.split("/");
  return segments.map((_, at) => segments.slice(0, at + 1).join("/"));
}
