import type { PlacedDocument } from "../../backends/files/place-documents.ts";
import { readTimes } from "../../backends/postgres/document-times.ts";
import { blobId } from "../../history/git/blob-id.ts";
import type { DocumentStep, GitCopy } from "../../history/git/git-copy.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Trail } from "../../kernel/trail.ts";
import { inPieces } from "./content-pieces.ts";
import type { CopyToFolderOptions } from "./copy-to-folder.ts";

const defaultPlaced = 500;

/**
 * Brings the documents of the folder to what its history has by now. What goes, goes first: a document may take the
 * place of a folder. How many there were.
 */
export async function placeCopied(copy: GitCopy, trail: Trail, options: CopyToFolderOptions): Promise<number> {
  const { store, root, onProgress = () => {}, atOnce = defaultPlaced } = options;
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
      await placePart(part, copy, trail, options);
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
  trail: Trail,
  { database, space, store, root }: CopyToFolderOptions,
): Promise<void> {
  const missing = part.filter(({ path, to }) => {
    const look = trail.look(path);
    return look.kind !== "document" || blobId(look.bytes) !== to;
  });
  const times = await readTimes(
    database,
    space,
    missing.map(({ path }) => path),
  );
  const contents = await copy.read(missing.map(({ to }) => to ?? ""));
  const placed = missing.map((step, index) => {
    const bytes = contents[index];
    if (!bytes) throw new RecollectError("STORAGE_FAILED", `“${step.path}” cannot be read from the copied history.`);
    const time = times.get(step.path);
    return toPlaced(step, { bytes, modified: time?.rev === revisionOf(bytes) ? time.modified : undefined });
  });
  await store.place(root, placed);
}

function toPlaced({ path, from }: DocumentStep, content: PlacedDocument["content"]): PlacedDocument {
  return { path, content, mayReplace: (there) => (there && blobId(there)) === from };
}

function foldersAndItself(folder: string): string[] {
  const segments = folder.split("/");
  return segments.map((_, at) => segments.slice(0, at + 1).join("/"));
}
