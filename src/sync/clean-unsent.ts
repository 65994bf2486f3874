import { counted } from "../kernel/counted.ts";
import { dropUnnamed } from "./drop-unnamed.ts";
import { findPurged, type PurgedCheck } from "./find-purged.ts";
import { type RepositoryState, syncRefs } from "./repository.ts";
import type { SyncContext } from "./sync.ts";
import { syncFailure } from "./sync-failure.ts";
import { changedPaths } from "./tree-entries.ts";

/** How every revision that we make begins. */
export const ownMessage = "recollect: ";

/**
 * Revisions that never left this machine and hold a purged value become one that does not: the documents as they are
 * now, on top of what the remote has. Throws where they cannot.
 */
export async function cleanUnsent(
  context: SyncContext,
  state: RepositoryState,
  sent: string | undefined,
  values: Pick<PurgedCheck, "find"> | undefined = context.purged?.(),
): Promise<RepositoryState> {
  const { repository } = context;
  const { head } = state;
  const range = (to: string) => (sent === undefined ? [to] : [to, `^${sent}`]);
  if (!values || head === undefined || (await findPurged(context, values, range(head))) === undefined) return state;
  if (!context.isClone && !(await isOwn(context, range(head)))) {
    const more =
      "Some of them are your own: take it out of those (git rebase -i, git commit --amend), then sync again.";
    throw syncFailure("purged-here", { more });
  }
  const [there, here] = await Promise.all([repository.treeOf(sent), repository.treeOf(head)]);
  const changes = new Map(changedPaths(there, here).map((path) => [path, here.get(path)]));
  const count = counted(changes.size, "document");
  const parents = sent === undefined ? [] : [sent];
  const message = () => `${ownMessage}sync ${count}\n`;
  const made = changes.size === 0 ? sent : await repository.commit({ changes, parents, message });
  if (made !== undefined && (await findPurged(context, values, range(made))) !== undefined) {
    await repository.moveRefs([{ ref: syncRefs.making, to: undefined }]);
    const more = "It is in a document, or in a file beside them. Purge it there: recollect purge";
    throw syncFailure("purged-here", { more });
  }
  const moved = await repository.moveRefs([
    { ref: `refs/heads/${state.branch}`, to: made, from: head },
    { ref: syncRefs.making, to: undefined },
  ]);
  if (!moved) throw syncFailure("busy");
  await dropKept(context, values);
  await dropUnnamed(context);
  return { ...state, head: made };
}

/** In a folder of the user only what we made ourselves is written anew. */
async function isOwn({ git }: SyncContext, range: readonly string[]): Promise<boolean> {
  const subjects = (await git.run(["rev-list", "--format=%s", ...range, "--"])).toString("utf8").split("\n");
  return subjects.every((line) => line === "" || /^commit [0-9a-f]+$/.test(line) || line.startsWith(ownMessage));
}

/** What was kept when the remote's history was rewritten. */
async function dropKept(context: SyncContext, values: Pick<PurgedCheck, "find">): Promise<void> {
  const { refs } = await context.repository.state();
  for (const [ref, id] of refs) {
    if (!ref.startsWith(syncRefs.beforeRewrite(""))) continue;
    if ((await findPurged(context, values, [id])) !== undefined)
      await context.repository.moveRefs([{ ref, to: undefined }]);
  }
}
