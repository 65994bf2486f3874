import type { BackendDocuments, StoredBytes } from "../../kernel/backend.ts";
import { pieceBytes } from "../../kernel/content-pieces.ts";
import { type ExistingPath, parseDocumentPath } from "../../kernel/document-path.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { type ExportedDocument, openExportFolder } from "./export-folder.ts";

/** A root that is exported, and what its folder is called. */
export interface ExportedRoot {
  readonly name: string;
  readonly documents: Pick<BackendDocuments, "list" | "readBytes">;
  /** What the backend calls it. */
  readonly root: string;
}

export interface ExportOptions {
  readonly roots: readonly ExportedRoot[];
  /** Must be there, and be empty, or hold an export that was cut off. */
  readonly folder: string;
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface ExportReport {
  readonly documents: number;
  /** What could not be read, or is none of ours to copy, such as a link. */
  readonly leftOut: readonly { readonly root: string; readonly path: string; readonly why: string }[];
}

const listedAtOnce = 2000;
const writtenAtOnce = 200;

/** Plain folders of the documents as they are now, each root a folder. Done again after a kill, it goes on (PG-3). */
export async function exportRoots({ roots, folder, onProgress = () => {} }: ExportOptions): Promise<ExportReport> {
  const target = openExportFolder(folder);
  const leftOut: ExportReport["leftOut"][number][] = [];
  const exported = new Set<string>();
  try {
    for (const root of roots) {
      const prefix = parseDocumentPath(root.name);
      for await (const part of documentsOf(root, (path, why) => leftOut.push({ root: root.name, path, why }))) {
        await target.write(part.map((one) => ({ ...one, path: `${prefix}/${one.path}` })));
        for (const { path } of part) exported.add(`${prefix}/${path}`);
        onProgress(exported.size);
      }
    }
    for (const path of target.paths()) if (!exported.has(path)) throw holdsOther(path);
    target.finish();
  } finally {
    target.close();
  }
  return { documents: exported.size, leftOut };
}

async function* documentsOf(
  root: ExportedRoot,
  leaveOut: (path: string, why: string) => void,
): AsyncGenerator<readonly ExportedDocument[]> {
  let [part, bytes]: [ExportedDocument[], number] = [[], 0];
  for await (const path of pathsOf(root)) {
    const found = await readOr(root, path, leaveOut);
    if (!found) continue;
    part.push({ path, ...found });
    bytes += found.bytes.length;
    if (part.length < writtenAtOnce && bytes < pieceBytes) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  yield part;
}

async function* pathsOf({ documents, root }: ExportedRoot): AsyncGenerator<ExistingPath> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const { entries, next } = await documents.list({ root, limit: listedAtOnce, after });
    for (const { path, owner } of entries) if (owner === root) yield path;
    after = next;
  }
}

async function readOr(
  { root, documents }: ExportedRoot,
  path: ExistingPath,
  leaveOut: (path: string, why: string) => void,
): Promise<StoredBytes | undefined> {
  try {
    return await documents.readBytes({ root, path });
  } catch (error) {
    if (!isRecollectError(error) || !["NOT_A_DOCUMENT", "PERMISSION_DENIED"].includes(error.code)) throw error;
    leaveOut(path, error.message);
    return undefined;
  }
}

/** It was exported by one that was cut off, and is gone since; or somebody put it there. */
function holdsOther(path: string): RecollectError {
  const says = `The export holds “${path}”, which is no document any more. Delete the folder and export again.`;
  return new RecollectError("CONFLICT", says, { data: { path } });
}
