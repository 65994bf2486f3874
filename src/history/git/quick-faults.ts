import { isRecollectError } from "../../kernel/errors.ts";
import type { Trail } from "../../kernel/trail.ts";
import { findLoss } from "./accept-loss.ts";
import { branchFaults, configFaults, isForeign, misplaced, packFaults, tipFaults } from "./check-repository.ts";
import { lossSays } from "./loss-says.ts";
import { isReadable } from "./mend-tip.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import { parseTipNote } from "./tip-note.ts";
import { findVanished, type Mirrored } from "./vanished.ts";

export const placeTaken = "“.recollect/history” is not a folder, so nothing is recorded. Move it away.";

/** What a quick look at the history of a root finds wrong, as sentences; `verifyRoot` reads everything. */
export async function quickFaults(
  trail: Trail,
  history: { readonly repository: Repository; readonly git: Git } | undefined,
  mirrored?: Mirrored | undefined,
): Promise<string[]> {
  const note = trail.notedTip();
  if (trail.isPlaceTaken()) return [placeTaken];
  const vanishedFaults = async () => {
    const vanished = await findVanished(trail, history, mirrored).catch(noneWhereDamaged);
    return vanished && !vanished.isOnOtherBranch ? [`${vanished.says} ${vanished.remedy}`] : [];
  };
  if (!history) {
    const found = await vanishedFaults();
    if (found.length > 0) return found;
    const isExpected = note !== undefined && (parseTipNote(note)?.tip !== undefined || !parseTipNote(note));
    return isExpected ? ["The history, “.recollect/history”, is gone."] : [];
  }
  const { repository, git } = history;
  const settings = configFaults(repository);
  const faults = settings.map(({ says }) => says);
  if (settings.some(isForeign)) return faults;
  try {
    faults.push(...[...branchFaults(repository, note), ...packFaults(repository)].map(({ says }) => says));
  } catch (error) {
    return [...faults, misplaced(error, repository).says];
  }
  const tip = repository.tip();
  // Before the first run there is nothing to compare.
  if (tip !== undefined || note !== undefined) {
    faults.push(...(await tipFaults(repository, git, note)).map(({ says }) => says));
  }
  if (tip === undefined) return faults;
  if (!(await isReadable(tip, git))) return [...faults, "What was last recorded cannot be read."];
  const loss = await findLoss(tip, git);
  return [...faults, ...(loss ? [lossSays(loss.time)] : []), ...(await vanishedFaults())];
}

/** What cannot be read is told by others. */
function noneWhereDamaged(error: unknown): undefined {
  if (!isRecollectError(error)) throw error;
}
