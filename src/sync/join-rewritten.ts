import { isUtf8 } from "node:buffer";
import { counted } from "../kernel/counted.ts";
import type { Joined } from "./join-revisions.ts";
import { mergeRevisions } from "./merge-revisions.ts";
import { type SyncRepository, syncRefs } from "./repository.ts";
import type { RewrittenChoice, SyncContext } from "./sync.ts";
import { syncFailure } from "./sync-failure.ts";
import type { SyncGit } from "./sync-git.ts";
import { changedPaths, type EntryTree, isRegular } from "./tree-entries.ts";

/** Whether the remote no longer has what it was known to have. */
export async function isGone(git: SyncGit, known: string, theirs: string | undefined): Promise<boolean> {
  if (theirs === undefined) return true;
  return known !== theirs && (await git.attempt(["merge-base", "--is-ancestor", known, theirs])).code !== 0;
}

/** Where a rewritten history lacks something that it had, only the user can say what was meant. */
export async function assertNothingMissing(
  { repository, isDerived, purged }: SyncContext,
  { known, theirs }: { readonly known: string; readonly theirs: string | undefined },
  choice: RewrittenChoice | undefined,
): Promise<RewrittenChoice> {
  const [before, after] = await Promise.all([repository.treeOf(known), repository.treeOf(theirs)]);
  const values = purged?.();
  // That a purged value is gone there is as it should be.
  const isWanted = (line: string) => values?.find(Buffer.from(line)) === undefined;
  const missing = await findMissing(before, after, repository, { isDerived, isWanted });
  if (missing.length === 0) return "drop";
  // A remote in which nothing is left has nothing to go by.
  if (choice !== undefined && (theirs !== undefined || choice === "keep")) return choice;
  const count = counted(missing.length, "document");
  const keep = "Bring them back with: recollect sync --rewritten keep.";
  const drop =
    theirs === undefined
      ? "Its branch is empty or gone. If all of them should go, delete them here, then: recollect sync --rewritten keep --accept-empty"
      : "Let them go here as well with: recollect sync --rewritten drop";
  const more = `It concerns ${count}. ${keep} ${drop}`;
  throw syncFailure("rewritten", { more, data: { missing: missing.slice(0, 50) } });
}

/**
 * A rewritten history does not become part of ours again, or everything that was taken out of it would be back: what is
 * here goes on top of it.
 */
export async function joinRewritten(
  context: SyncContext,
  { head, known, theirs }: { readonly head: string; readonly known: string; readonly theirs: string },
  asked: RewrittenChoice | undefined,
): Promise<Joined> {
  const { repository, merge, purged } = context;
  const choice = await assertNothingMissing(context, { known, theirs }, asked);
  const base = choice === "drop" ? ({ kind: "revision", id: known } as const) : ({ kind: "none" } as const);
  const [here, there] = await Promise.all([repository.treeOf(head), repository.treeOf(theirs)]);
  const plan = { kind: "merge", base } as const;
  const { merged, changes } = await mergeRevisions({ plan, ours: there, theirs: here, merge, repository });
  // Whoever misses something finds it here; but nothing that was purged is kept.
  const kept = { ref: syncRefs.beforeRewrite(head.slice(0, 12)), to: head };
  if (!purged?.()) await repository.moveRefs([kept]);
  if (changes.size === 0) return { to: theirs };
  const message = () => "recollect: sync after the remote's history was rewritten\n";
  return { to: await repository.commit({ changes, parents: [theirs], message }), merged };
}

/**
 * Documents of which one revision holds lines that another one holds nowhere. What was only moved, as into an archive,
 * is not missing.
 */
async function findMissing(
  before: EntryTree,
  after: EntryTree,
  repository: Pick<SyncRepository, "contentsOf">,
  { isDerived, isWanted }: { isDerived: (path: string) => boolean; isWanted: (line: string) => boolean },
): Promise<string[]> {
  const paths = changedPaths(before, after).filter((path) => !isDerived(path));
  const linesIn = async (tree: EntryTree) => {
    const entries = paths.flatMap((path) => {
      const entry = tree.get(path);
      return entry && isRegular(entry) ? [{ path, id: entry.id }] : [];
    });
    const contents = await repository.contentsOf([...new Set(entries.map(({ id }) => id))]);
    return entries.map(({ path, id }) => ({ path, lines: linesOf(contents.get(id)) }));
  };
  const left = new Set((await linesIn(after)).flatMap(({ lines }) => lines));
  const found = await linesIn(before);
  return found.filter(({ lines }) => lines.some((line) => !left.has(line) && isWanted(line))).map(({ path }) => path);
}

/** What is no text is one line. */
function linesOf(bytes: Buffer | undefined): string[] {
  if (bytes === undefined) return [];
  if (!isUtf8(bytes)) return [bytes.toString("latin1")];
  return bytes
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "---");
}
