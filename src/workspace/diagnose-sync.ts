import { isRecollectError } from "../core/errors.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";

/** How a memory in a git repository stands to its remote, without asking it (HIST-4). */
export async function syncFindings({ sync, settings }: Diagnosed): Promise<Finding[]> {
  const isRepository =
    settings.values["memory_configuration.external_memory_enabled"] &&
    settings.values["memory_configuration.memory_type"] === "git_repo";
  if (!sync || !isRepository) return [];
  const about = "sync";
  const remedy = "recollect sync";
  try {
    const { strategy, ...open } = await sync();
    const { remote, waiting, failure, lastSuccess } = await open.status();
    if (remote === undefined) {
      const says = "the repository of the topics has no remote, so its revisions stay here";
      return [{ level: "note", about, says, remedy: "git remote add origin ADDRESS" }];
    }
    const last = lastSuccess === undefined ? "never synced" : `last synced ${lastSuccess}`;
    const left = waiting === 0 ? "nothing waits" : waiting === 1 ? "1 change waits" : `${waiting} changes wait`;
    const says = `${remote} (${strategy}): ${last}, ${left}`;
    if (failure) {
      // Offline is normal.
      const level = failure.reason === "unreachable" && lastSuccess !== undefined ? "note" : "problem";
      return [{ level, about, says: `${says}. ${failure.message}`, remedy }];
    }
    return [waiting === 0 ? { level: "fine", about, says } : { level: "note", about, says, remedy }];
  } catch (error) {
    // That there is no repository is among the warnings.
    if (!isRecollectError(error)) throw error;
    return error.code === "NOT_FOUND" ? [] : [{ level: "problem", about, says: error.message, remedy }];
  }
}
