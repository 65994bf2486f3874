import { relative, sep } from "node:path";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";
import { createMemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { routeByPrefix } from "./memory-homes.ts";
import { nameOfPath, parseKnownName } from "./memory-name.ts";

/** Why a document may not be made at a canonical address; undefined where it may. */
export type RefusesNew = (at: Address) => Promise<RecollectError | undefined>;

/**
 * A name is looked up in every folder of the project's notes, so a new note in one folder can take the place of a note
 * in another. A caller who may not write where a name is, or where its prefix leads (MEM-6, MEM-7), makes it nowhere.
 * Undefined where the caller may write in all folders.
 */
export function refuseShadows(options: {
  /** As the caller may use them. */
  readonly folders: readonly MemoryFolder[];
  /** Why the caller makes no note at all. */
  readonly noNewNotes: RecollectError | undefined;
  readonly documents: () => Documents;
}): RefusesNew | undefined {
  const { noNewNotes, documents } = options;
  const folders = options.folders.filter(({ kind }) => kind !== "global");
  const readOnly = folders.filter((folder) => folder.readOnly);
  if (readOnly.length === 0 && !noNewNotes) return undefined;
  const additional = folders.filter(({ kind }) => kind === "additional");
  return async (at) => {
    const folder = folders.find(({ root }) => root === at.root);
    if (!folder || noNewNotes) return folder && noNewNotes;
    const locator = createMemoryLocator({ documents: documents(), folders: readOnly, allNames: async () => [] });
    for (const name of namesOf(at.path, folder, folders)) {
      const found = await locator.findAll(parseKnownName(name));
      const holder = found.map((one) => one.folder).find(({ root }) => root !== at.root);
      const home = holder ?? routeByPrefix(name, additional);
      if (home?.readOnly && home.root !== at.root) return belongsElsewhere(name, home.root);
    }
    return undefined;
  };
}

/** A folder in another one gives its notes a longer name as well (MEM-8); some disks take `.MD` for `.md`. */
function namesOf(path: string, folder: MemoryFolder, folders: readonly MemoryFolder[]): string[] {
  const prefixes = folders.flatMap((outer) => {
    if (outer === folder) return [""];
    if (outer.path === undefined || folder.path === undefined) return [];
    const way = relative(outer.path, folder.path).split(sep);
    return way[0] === ".." ? [] : [`${way.join("/")}/`];
  });
  return prefixes.flatMap((prefix) => nameOfPath(prefix + path.replace(/\.md$/i, ".md"), false) ?? []);
}

function belongsElsewhere(name: string, root: string): RecollectError {
  const says = `“${name}” belongs to “${root}”, which is read-only here.`;
  return new RecollectError("READ_ONLY", says, { data: { root, name } });
}
