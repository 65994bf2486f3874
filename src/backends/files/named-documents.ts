import { RecollectError } from "../../kernel/errors.ts";
import type { Address, Current, StoredDocument } from "../../kernel/store.ts";
import { exists } from "./auxiliary.ts";
import { type DocumentFile, readDocumentFile, toStoredDocument } from "./document-file.ts";
import type { OpenFolders } from "./open-folders.ts";
import { type RootFolders, splitAddress } from "./root-folders.ts";

/** The documents that an operation named when it began, as they were read. */
export type NamedDocuments = ReadonlyMap<string, DocumentFile | undefined>;

export function readNamed(
  addresses: readonly Address[],
  folders: OpenFolders,
  { roots, maxReadBytes }: { readonly roots: RootFolders; readonly maxReadBytes: number },
): NamedDocuments {
  return new Map(
    addresses.map((at) => {
      const { place, name } = splitAddress(at);
      const open = folders.open(place);
      if (open) roots.assertSpelling(place, open.folder, name);
      const isThere = open && exists(open.folder, name);
      return [keyOf(at), isThere ? readDocumentFile(open.folder, name, maxReadBytes) : undefined];
    }),
  );
}

export function fileAt(files: NamedDocuments, at: Address): DocumentFile | undefined {
  if (files.has(keyOf(at))) return files.get(keyOf(at));
  throw new RecollectError("INVALID_ARGUMENT", `“${at.path}” was not named when the operation began.`);
}

/** Each document once: a plan may ask for it several times, and decoding a large one costs. */
export function currentOf(files: NamedDocuments): Current {
  const asked = new Map<DocumentFile, StoredDocument>();
  return (at) => {
    const file = fileAt(files, at);
    if (!file) return undefined;
    const stored = asked.get(file) ?? toStoredDocument(file, at.path);
    asked.set(file, stored);
    return stored;
  };
}

export function keyOf(at: Address): string {
  return `${at.root}\0${at.path}`;
}
