import * as z from "zod";
import { isExistingPath } from "../kernel/document-path.ts";
import type { TreeConflict } from "../kernel/merge/tree-conflict.ts";
import type { SyncGit } from "./sync-git.ts";
import type { EntryTree } from "./tree-entries.ts";

const path = z.string().refine(isExistingPath);

const conflictSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("both-changed"), path, beside: path }),
  z.object({ kind: z.literal("entries-doubled"), path, titles: z.array(z.string()) }),
  z.object({ kind: z.literal("deleted-and-changed"), path }),
  z.object({ kind: z.literal("renamed-twice"), path, beside: path }),
  z.object({ kind: z.literal("document-and-folder"), path, beside: path }),
  z.object({ kind: z.literal("same-name"), path, other: path, beside: path.optional() }),
]);

/** A conflict that a person may still have to look at, with what the document was then. */
export const unsettledSchema = z.object({ conflict: conflictSchema, id: z.string().optional() });
export type Unsettled = z.infer<typeof unsettledSchema>;

/** A merge tells its conflicts in its message, so that others than the one who merged see them as well. */
const trailer = "Recollect-Conflict";
const mostTold = 50;

export function conflictTrailers(conflicts: readonly TreeConflict[]): string {
  return conflicts
    .slice(0, mostTold)
    .map((conflict) => `${trailer}: ${JSON.stringify(conflict)}\n`)
    .join("");
}

/** What merges of others left, as they told it. */
export async function toldConflicts(git: SyncGit, theirs: string, head: string): Promise<TreeConflict[]> {
  const format = `--format=%(trailers:key=${trailer},valueonly,unfold)`;
  const lines = (await git.run(["log", format, "--merges", theirs, `^${head}`, "--"])).toString("utf8").split("\n");
  return lines.flatMap((line) => parseConflict(line) ?? []).slice(0, mostTold);
}

function parseConflict(line: string): TreeConflict | undefined {
  try {
    const { data } = conflictSchema.safeParse(JSON.parse(line));
    return data && withoutUndefined(data);
  } catch {
    // Somebody else's words.
    return undefined;
  }
}

function withoutUndefined(conflict: z.infer<typeof conflictSchema>): TreeConflict {
  return conflict.kind === "same-name" ? { ...conflict, beside: conflict.beside } : conflict;
}

/** All of them, each once, with what their documents are in this revision. */
export function joinUnsettled(
  before: readonly Unsettled[],
  conflicts: readonly TreeConflict[],
  tree: EntryTree,
): Unsettled[] {
  const added = conflicts.map((conflict): Unsettled => {
    const id = tree.get(conflict.path)?.id;
    return { conflict: { ...conflict } as Unsettled["conflict"], ...(id === undefined ? {} : { id }) };
  });
  return [...new Map([...before, ...added].map((one) => [keyOf(one.conflict), one])).values()];
}

export function isSameConflict(one: Unsettled["conflict"], other: TreeConflict): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(conflict: Unsettled["conflict"] | TreeConflict): string {
  // What is undefined is not there in JSON, where some of them come from.
  const said = Object.entries(conflict).filter(([, value]) => value !== undefined);
  return JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** As far as the documents show it. */
export function isUnsettled(
  { conflict, id }: Unsettled,
  here: {
    readonly isThere: (path: string) => boolean;
    readonly idOf: (path: string) => string | undefined;
    readonly textOf: (path: string) => string;
  },
): boolean {
  if ("beside" in conflict && conflict.beside !== undefined) return here.isThere(conflict.beside);
  if (conflict.kind === "same-name") return here.isThere(conflict.path) && here.isThere(conflict.other);
  if (conflict.kind === "entries-doubled") {
    const headings = here
      .textOf(conflict.path)
      .split("\n")
      .filter((line) => line.startsWith("## "));
    return conflict.titles.some((title) => headings.filter((line) => line.endsWith(`: ${title}`)).length > 1);
  }
  return here.idOf(conflict.path) === id;
}
