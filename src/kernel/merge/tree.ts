/** What a document holds; bytes where they are no UTF-8 text, which is merged as a whole (KER-11). */
export type Content = string | Uint8Array;

/** The documents of a root at one revision, by their paths. */
export type Tree = ReadonlyMap<string, Content>;

export function isSame(one: Content | undefined, other: Content | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || typeof one === "string" || typeof other === "string") return false;
  return Buffer.compare(one, other) === 0;
}

export function bytesOf(content: Content): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}

/** The same for all spellings that a file system which folds case and Unicode form takes for one name. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** The folders that a document lies in, outermost first. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
