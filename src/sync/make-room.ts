import { isRecollectError } from "../kernel/errors.ts";
import type { TreeConflict } from "../kernel/merge/tree-conflict.ts";
import type { Trail } from "../kernel/trail.ts";
import type { PlacedFiles } from "./placed-files.ts";
import { syncFailure } from "./sync-failure.ts";

/** What is moved aside, so that something else can have its place. */
export type MovedAside = Extract<TreeConflict, { readonly kind: "both-changed" | "document-and-folder" }>;

export interface RoomOptions {
  readonly files: PlacedFiles;
  readonly trail: Trail;
  /** Whether what lies there is sent as it is; nothing of that is ever moved. */
  readonly isSent: (path: string, size: number) => boolean;
  /** In a folder of the user nothing of theirs is moved. */
  readonly isClone: boolean;
  /** Brings into history what the journal of a folder has, before the folder goes. */
  readonly record: () => Promise<unknown>;
}

/** Whether it is all free now; “changed” where somebody wrote a document there meanwhile. */
export async function makeRoom(
  paths: readonly string[],
  moved: MovedAside[],
  options: RoomOptions,
): Promise<"free" | "changed"> {
  for (const path of paths) {
    for (let at = inTheWay(path, options.files); at !== undefined; at = inTheWay(path, options.files)) {
      if (holdsSent(at, options)) return "changed";
      if (await isRemoved(at, options)) continue;
      if (!options.isClone) {
        throw syncFailure("uncommitted", { more: `“${at}” is in the way of “${path}”.`, data: { paths: [at] } });
      }
      moved.push({ kind: "document-and-folder", path: at, beside: options.files.moveAside(at) });
    }
  }
  return "free";
}

/** A file or a link where a folder must be, or a folder or a link where a file must be. */
function inTheWay(path: string, files: PlacedFiles): string | undefined {
  const names = path.split("/");
  for (let count = 1; count <= names.length; count += 1) {
    const at = names.slice(0, count).join("/");
    const there = files.look(at);
    if (!there) return undefined;
    if (there.kind !== (count === names.length ? "file" : "folder")) return at;
  }
  return undefined;
}

function holdsSent(at: string, { files, trail, isSent }: RoomOptions): boolean {
  const there = files.look(at);
  if (there?.kind === "file") return isSent(at, there.size);
  if (there?.kind !== "folder") return false;
  for (const { path } of trail.survey()) {
    if (path.startsWith(`${at}/`) && isSent(path, files.look(path)?.size ?? 0)) return true;
  }
  return false;
}

/** A folder in which nothing is left but what we keep beside documents. */
async function isRemoved(at: string, { files, trail, record }: RoomOptions): Promise<boolean> {
  if (!files.isEmptyFolder(at)) return false;
  try {
    await record();
  } catch (error) {
    // What only its journal has must not go.
    if (isRecollectError(error)) return false;
    throw error;
  }
  await trail.removeEmpty((folder) => folder === at || folder.startsWith(`${at}/`));
  return files.look(at) === undefined;
}
