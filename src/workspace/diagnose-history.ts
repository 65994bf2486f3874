import { isRecollectError, type RecollectError } from "../core/errors.ts";
import type { NamedConflict } from "../history/conflicts/conflicts.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";

/** What merges left for a person to decide (HIST-4). */
export async function conflictFindings({ conflicts }: Diagnosed): Promise<Finding[]> {
  const waiting = await waitingIn(conflicts);
  if (isRecollectError(waiting)) return [{ level: "problem", about: "conflicts", says: waiting.message }];
  const [first, ...others] = waiting;
  if (!first) return [];
  const what = `${first.name} is another version of ${first.originalName}`;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const says = `${waiting.length === 1 ? "1 conflict waits" : `${waiting.length} conflicts wait`}: ${what}${more}`;
  return [{ level: "problem", about: "conflicts", says, remedy: "recollect resolve" }];
}

async function waitingIn(conflicts: Diagnosed["conflicts"]): Promise<readonly NamedConflict[] | RecollectError> {
  try {
    return (await (await conflicts?.())?.list()) ?? [];
  } catch (error) {
    if (isRecollectError(error)) return error;
    throw error;
  }
}

/** How much history takes, over all folders (HIST-3b), and what a quick look finds wrong with it. */
export async function historyFindings({ history }: Diagnosed): Promise<Finding[]> {
  if (!history) return [];
  const about = "history";
  try {
    const opened = await history();
    const sizes: string[] = [];
    const problems: Finding[] = [];
    for (const root of opened.roots) {
      const { bytes, faults } = await opened.status(root);
      if (faults.length > 0) {
        const says = `the history of ${root} is damaged: ${faults.join(" ")}`;
        problems.push({ level: "problem", about, says, remedy: "recollect verify" });
      } else if (bytes > 0) sizes.push(`${root} ${toSize(bytes)}`);
    }
    return [...problems, ...(sizes.length === 0 ? [] : [{ level: "fine" as const, about, says: sizes.join(", ") }])];
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "problem", about, says: error.message }];
  }
}

/** Whether the project's own repository gets what was written, where that is asked for (HIST-3b). */
export async function projectCommitFindings({ commitToProject }: Diagnosed): Promise<Finding[]> {
  if (!commitToProject) return [];
  const about = "commits";
  const seen = await commitToProject({ dryRun: true });
  const left = "left" in seen && seen.left.length > 0 ? `; the guard refuses ${seen.left.join(", ")}` : "";
  if (seen.kind === "skipped") {
    return [{ level: "note", about, says: `memory is not committed to the project's repository now: ${seen.why}` }];
  }
  const count = seen.kind === "waits" ? seen.paths.length : 0;
  const says =
    count === 0 ? "memory is committed to the project's repository" : `${count} to commit with the next write`;
  return [{ level: left === "" ? "fine" : "problem", about, says: `${says}${left}` }];
}

function toSize(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1024 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
