/** The blobs of all documents, and which folders they lie in. */
export interface DocumentBlobs {
  readonly blobs: Map<string, string>;
  set(path: string, blob: string): void;
  delete(path: string): void;
  /** Documents that cannot be there together with one of this path: it is a folder to them, or they are to it. */
  inTheWay(path: string): readonly string[];
}

export function createDocumentBlobs(recorded: ReadonlyMap<string, string>): DocumentBlobs {
  const blobs = new Map(recorded);
  const folders = new Map<string, number>();
  const count = (path: string, by: number) => {
    for (const folder of foldersOf(path)) folders.set(folder, (folders.get(folder) ?? 0) + by);
  };
  for (const path of blobs.keys()) count(path, 1);
  return {
    blobs,
    set: (path, blob) => {
      if (!blobs.has(path)) count(path, 1);
      blobs.set(path, blob);
    },
    delete: (path) => {
      if (blobs.delete(path)) count(path, -1);
    },
    inTheWay: (path) => {
      const above = foldersOf(path).filter((folder) => blobs.has(folder));
      if (!folders.get(path)) return above;
      return [...above, ...[...blobs.keys()].filter((one) => one.startsWith(`${path}/`))];
    },
  };
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
