import * as z from "zod";
import { isExistingPath } from "../core/document-path.ts";
import type { TreeConflict } from "../history/merge/tree-conflict.ts";
import type { SyncGit } from "./sync-git.ts";
import type { EntryTree } from "./tree-entries.ts";

const path = z.string().refine(isExistingPath);

export const conflictSchema = z.discriminatedUnion("kind", [
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

/**
 * A merge tells its conflicts in its message, so that others than the one who merged see them as well. A later revision
 * tells what a person settled by letting it stay, which no document shows.
 */
const trailers = { conflict: "Recollect-Conflict", settled: "Recollect-Settled" } as const;
const mostTold = 50;

export function conflictTrailers(conflicts: readonly TreeConflict[]): string {
  return trailersOf("conflict", conflicts);
}

export function settledTrailers(conflicts: readonly Unsettled["conflict"][]): string {
  return trailersOf("settled", conflicts);
}

function trailersOf(kind: keyof typeof trailers, conflicts: readonly (TreeConflict | Unsettled["conflict"])[]): string {
  return conflicts
    .slice(0, mostTold)
    .map((conflict) => `${trailers[kind]}: ${JSON.stringify(conflict)}\n`)
    .join("");
}

/** What happened elsewhere. */
export interface Told {
  readonly kind: keyof typeof trailers;
  readonly conflict: TreeConflict;
}

/** What merges of others left, and what they settled since, in the order in which it happened. */
export async function toldBy(git: SyncGit, theirs: string, head: string): Promise<Told[]> {
  const format = `--format=%x00%P%n%(trailers:key=${trailers.conflict},key=${trailers.settled},unfold)`;
  const args = ["log", format, "--topo-order", "--reverse", theirs, `^${head}`, "--"];
  const revisions = (await git.run(args)).toString("utf8").split("\0");
  return revisions.flatMap(toldIn).slice(-mostTold);
}

function toldIn(revision: string): Told[] {
  const [parents = "", ...lines] = revision.split("\n");
  const isMerge = parents.includes(" ");
  return lines.flatMap((line) => {
    const kind = (["conflict", "settled"] as const).find((one) => line.startsWith(`${trailers[one]}: `));
    if (kind === undefined || (kind === "conflict" && !isMerge)) return [];
    const conflict = parseConflict(line.slice(trailers[kind].length + 2));
    return conflict ? [{ kind, conflict }] : [];
  });
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

/** What is left of all of them after what others told. */
export function afterTold(before: readonly Unsettled[], told: readonly Told[], tree: EntryTree): readonly Unsettled[] {
  let left = before;
  for (const { kind, conflict } of told) {
    left =
      kind === "conflict"
        ? joinUnsettled(left, [conflict], tree)
        : left.filter((one) => !isSameConflict(one.conflict, conflict));
  }
  return left;
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
