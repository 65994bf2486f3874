import { cleanUnsent } from "./clean-unsent.ts";
import { dropUnnamed } from "./drop-unnamed.ts";
import { findPurged } from "./find-purged.ts";
import { findRemote } from "./remote.ts";
import { syncRefs } from "./repository.ts";
import { resume, snapshot } from "./rounds.ts";
import type { SyncContext } from "./sync.ts";

/** What a clone that is kept for the user held of a value. */
export interface PurgedClone {
  readonly folder: string;
  readonly remote: string;
  readonly branch: string;
  /** Whether revisions held it that never left this machine; they are written anew. */
  readonly isUnsent: boolean;
  /** What the remote was last known to have, where that holds it: then it stays until the remote is cleaned. */
  readonly sent: string | undefined;
}

export interface PurgeCloneRequest {
  readonly holds: (bytes: Uint8Array) => boolean;
  /** True only looks. */
  readonly dryRun: boolean;
}

/** Takes a value out of a clone, as far as the remote does not have it. With the lock of sync held. */
export async function purgeClone(
  context: SyncContext,
  { holds, dryRun }: PurgeCloneRequest,
): Promise<PurgedClone | undefined> {
  const { git, repository, working, folder } = context;
  const values = { find: (bytes: Uint8Array) => (holds(bytes) ? "it" : undefined) };
  const begun = await repository.state();
  const known = begun.refs.get(syncRefs.known);
  const isIn = async (revisions: readonly string[]) => (await findPurged(context, values, revisions)) !== undefined;
  const others = [...begun.refs].filter(([ref, id]) => ref !== syncRefs.known && id !== known).map(([, id]) => id);
  const isUnsent = others.length > 0 && (await isIn([...others, ...(known === undefined ? [] : [`^${known}`])]));
  const isSent = known !== undefined && (await isIn([known]));
  if (!dryRun) {
    const state = await snapshot(context, await resume(context, begun), { acceptEmpty: true });
    await cleanUnsent(context, state, known, values);
    working.sweep();
    await dropUnnamed(context);
  }
  const remote = await findRemote(git, begun.branch);
  if (!isUnsent && !isSent) return undefined;
  return {
    folder,
    remote: remote?.shown ?? "",
    branch: remote?.branch ?? begun.branch,
    isUnsent,
    sent: isSent ? known : undefined,
  };
}
