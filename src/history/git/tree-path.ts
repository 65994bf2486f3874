/**
 * Paths as the trees of the repository have them: those of the documents, but for names in which git, or a checkout on
 * another system, sees something of its own (`.gitmodules`, `git~1`, a backslash). Those are written as `=` and the
 * name percent-encoded, and so is every name that begins with `=`.
 */
export function toTreePath(path: string): string {
  return isPlain(path) ? path : path.split("/").map(toTreeName).join("/");
}

export function fromTreePath(path: string): string {
  return path.includes("=") ? path.split("/").map(fromTreeName).join("/") : path;
}

/** Nothing in it could be special. */
function isPlain(path: string): boolean {
  return /^[\w-][\w. -]*(\/[\w-][\w. -]*)*$/.test(path);
}

function toTreeName(name: string): string {
  if (!isSpecial(name)) return name;
  const encoded = encodeURIComponent(name).replace(/[~.!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `=${encoded}`;
}

function fromTreeName(name: string): string {
  if (!name.startsWith("=")) return name;
  try {
    return decodeURIComponent(name.slice(1));
  } catch (error) {
    // Not written by us.
    if (error instanceof URIError) return name;
    throw error;
  }
}

function isSpecial(name: string): boolean {
  const folded = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return /^=|^\.|\\|^g[^/]*~|^mailma~|[:\n]/.test(name) || /^\.|^g[^/]*~|^mailma~|\\/.test(folded);
}
