import { basename } from "node:path";
import { auxiliaryNames } from "../../backends/files/auxiliary.ts";
import { counted } from "../../kernel/counted.ts";
import { isRecollectError, type RecollectError } from "../../kernel/errors.ts";
import type { VerifyFinding } from "../../kernel/finding.ts";
import type { MemorySync } from "../../sync/service/workspace-sync.ts";
import type { SyncState } from "../../sync/sync.ts";
import type { Finding } from "./diagnose.ts";
import { findBadLocks } from "./diagnose-locks.ts";
import type { Diagnosed } from "./open-unbroken.ts";

const about = "sync";
const remedy = "recollect sync";

/** How a memory in a git repository stands to its remote, without asking it (HIST-4). */
export async function syncFindings({ sync, settings }: Diagnosed): Promise<Finding[]> {
  const isRepository =
    settings.values["memory_configuration.external_memory_enabled"] &&
    settings.values["memory_configuration.memory_type"] === "git_repo";
  if (!sync || !isRepository) return [];
  let clone: string | undefined;
  try {
    const opened = await sync();
    clone = opened.clone;
    const state = await opened.status();
    return [standing(state, opened), ...leftOutFindings(state)];
  } catch (error) {
    // That there is no repository is among the warnings.
    if (!isRecollectError(error)) throw error;
    if (error.code === "NOT_FOUND") return [];
    return [{ level: "problem", about, says: error.message, remedy: isOfGit(error) ? beginAnew(clone) : remedy }];
  }
}

function standing(
  { remote, waiting, failure, lastSuccess }: SyncState,
  { strategy, clone }: Pick<MemorySync, "strategy" | "clone">,
): Finding {
  if (remote === undefined) {
    const says = "the repository of the topics has no remote, so nothing is synced";
    return { level: "note", about, says, remedy: "git remote add origin ADDRESS" };
  }
  const last = lastSuccess === undefined ? "never synced" : `last synced ${lastSuccess}`;
  const left = waiting === 0 ? "nothing to send" : counted(waiting, "change waits", "changes wait");
  const says = `${remote} (${strategy}): ${last}, ${left}`;
  if (failure) {
    // Offline is normal.
    const level = failure.reason === "unreachable" && lastSuccess !== undefined ? "note" : "problem";
    return {
      level,
      about,
      says: `${says}. ${failure.message}`,
      remedy: failure.reason === "git" ? beginAnew(clone) : remedy,
    };
  }
  return waiting === 0 ? { level: "fine", about, says } : { level: "note", about, says, remedy };
}

function leftOutFindings({ leftOut }: SyncState): Finding[] {
  const [first, ...others] = leftOut;
  if (!first) return [];
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const says = `not synced: ${first.path}, since ${first.why}${more}`;
  return [{ level: "note", about, says, remedy: "recollect sync --status" }];
}

/** Whether a sync can begin, and the clone of a remote is whole (HIST-4); the user's own repository is the user's. */
export async function verifyClone(sync: () => Promise<MemorySync>, root: string): Promise<VerifyFinding[]> {
  let clone: string | undefined;
  const found = (level: VerifyFinding["level"], says: string, how: string): VerifyFinding[] => [
    { level, root, part: "sync", says, remedy: how },
  ];
  try {
    const opened = await sync();
    clone = opened.clone;
    const locks = findBadLocks(opened.folder).filter(({ path }) => basename(path).startsWith(auxiliaryNames.syncLock));
    const [lock] = locks.map(({ error }) => error.message);
    const damage = clone === undefined ? undefined : await opened.check();
    return [
      ...(lock === undefined ? [] : found("damaged", lock, "Until then, nothing is synced.")),
      ...(damage === undefined ? [] : found("damaged", damage, beginAnew(clone))),
    ];
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    if (error.code === "NOT_FOUND") return [];
    if (isOfGit(error)) return found("damaged", error.message, beginAnew(clone));
    return found("unchecked", error.message, "");
  }
}

function isOfGit({ data }: RecollectError): boolean {
  return data["reason"] === "git" && data["missing"] === undefined;
}

/** The documents stay where they are, and are joined with the remote's as those of a new clone are. */
function beginAnew(clone: string | undefined): string {
  if (clone === undefined) return "git fsck, in the folder of the topics";
  const [from, to] = [`${clone}/.git`, `${clone}-damaged.git`].map((path) => `'${path.replaceAll("'", "'\\''")}'`);
  return `Start the clone again; the documents stay: mv ${from} ${to} && recollect sync`;
}
