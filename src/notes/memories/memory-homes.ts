import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Address } from "../../kernel/store.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { type MemoryName, parseNewName } from "./memory-name.ts";

/** Where new memories go (MEM-6, MEM-7). */
interface MemoryHomes {
  /** The folder that the prefix of a name asks for. */
  routeOf(name: MemoryName): MemoryFolder | undefined;
  /** Does it in the first home that is there: a configured folder that was deleted is left out, as at the start. */
  inHome<Result>(given: string, run: (at: Address) => Promise<Result>): Promise<Result>;
}

export function createMemoryHomes(locator: MemoryLocator, log: Log, noNewNotes?: RecollectError): MemoryHomes {
  function routeOf(name: MemoryName): MemoryFolder | undefined {
    const additional = locator.foldersFor(name).filter(({ kind }) => kind === "additional");
    return name.isGlobal ? undefined : routeByPrefix(name.text, additional);
  }

  /** By the prefix, else the primary folder, or the user's own. */
  function homesOf(name: MemoryName): readonly MemoryFolder[] {
    const first = locator.foldersFor(name).find(({ kind }) => kind !== "additional");
    const homes = [routeOf(name), first].filter((folder) => folder !== undefined);
    if (homes.length > 0) return homes;
    if (noNewNotes && !name.isGlobal) throw noNewNotes;
    const says = name.isGlobal
      ? "The user has no memories of their own yet, and only they can begin: memories.global_writable in their settings file."
      : "There is no folder of project memories here, only global/… ones. Start in a project, make this folder one with recollect init --project ., or ask recollect doctor.";
    throw new RecollectError("NOT_FOUND", says, { data: { name: name.text } });
  }

  return {
    routeOf,
    inHome: async (given, run) => {
      const name = parseNewName(given);
      const homes = homesOf(name);
      for (const [index, folder] of homes.entries()) {
        try {
          return await run({ root: folder.root, path: name.path });
        } catch (error) {
          const missing = isRecollectError(error) && error.code === "NOT_FOUND" && error.data["root"] === folder.root;
          if (!missing || index === homes.length - 1) throw error;
          log("warning", "memory folder is gone", { folder: folder.root });
        }
      }
      throw new Error("a memory has a home");
    },
  };
}

/**
 * The names of folders that a memory may be routed to, the longest prefix first: `FEATURE_BUILDER_x` asks for
 * `feature_builder`, then `feature`. A name with a slash already says where it lies (MEM-7).
 */
export function prefixesOf(name: string): string[] {
  if (name.includes("/")) return [];
  const segments = name.split("_");
  const end = segments.findIndex((segment) => !/^[A-Z]+$/.test(segment));
  const capitals = end === -1 ? segments : segments.slice(0, end);
  return capitals.map((_, index) =>
    capitals
      .slice(0, capitals.length - index)
      .join("_")
      .toLowerCase(),
  );
}

/** The folder that a new memory belongs to by its prefix. The first configured wins where two share a name. */
export function routeByPrefix<Folder extends { readonly baseName: string }>(
  name: string,
  folders: readonly Folder[],
): Folder | undefined {
  for (const prefix of prefixesOf(name)) {
    const match = folders.find(({ baseName }) => baseName.toLowerCase() === prefix);
    if (match) return match;
  }
  return undefined;
}
