import { counted } from "../../kernel/counted.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import { wordsOf } from "../../sync/project-git/left-out.ts";
import type { Verification } from "../verify/verify-workspace.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";

const mostShown = 10;

/** What merges left for a person to decide (HIST-4). */
export async function conflictFindings({ conflicts }: Diagnosed): Promise<Finding[]> {
  const [about, remedy] = ["conflicts", "recollect resolve"];
  const found = await waitingIn(conflicts);
  if (isRecollectError(found)) return [{ level: "problem", about, says: found.message }];
  const { beside, unsettled } = found;
  const rest = unsettled.length - mostShown;
  const others = [
    ...unsettled.slice(0, mostShown).map((one) => ({ says: `${one.name}: ${one.says}`, count: 1 })),
    ...(rest > 0 ? [{ says: `and ${rest} more`, count: rest }] : []),
  ].map((one): Finding => ({ level: "problem", about, remedy, ...one }));
  const [first, ...more] = beside;
  if (!first) return others;
  const what = `${first.name} is another version of ${first.originalName}`;
  const also = more.length === 0 ? "" : `, and ${more.length} more`;
  const says = `${counted(beside.length, "conflict waits", "conflicts wait")}: ${what}${also}`;
  return [{ level: "problem", about, says, remedy, count: beside.length }, ...others];
}

async function waitingIn(conflicts: Diagnosed["conflicts"]) {
  try {
    const opened = await conflicts?.();
    return { beside: (await opened?.list()) ?? [], unsettled: (await opened?.unsettled()) ?? [] };
  } catch (error) {
    if (isRecollectError(error)) return error;
    throw error;
  }
}

/** How much history takes, over all folders in which nothing is wrong with it (HIST-3b). */
export async function historyFindings(
  { history, roots = [] }: Diagnosed,
  verification: Verification | undefined,
): Promise<Finding[]> {
  if (!history) return [];
  const about = "history";
  const isWrong = (root: string) =>
    verification?.findings.some(({ level, part, root: of }) => of === root && level !== "note" && part === "history");
  try {
    const sizes: string[] = [];
    const notes: Finding[] = [];
    for (const { name: root } of roots.filter(({ name, hasHistory }) => hasHistory && !isWrong(name))) {
      const { bytes, remarks = [] } = await history.status(root);
      const isTold = (says: string) => verification?.findings.some((one) => one.root === root && one.says === says);
      notes.push(
        ...remarks
          .filter((says) => !isTold(says))
          .map((says): Finding => ({ level: "note", about, says: `${root}: ${says}` })),
      );
      if (bytes > 0) sizes.push(`${root} ${toSize(bytes)}`);
    }
    return [...notes, ...(sizes.length === 0 ? [] : [{ level: "fine" as const, about, says: sizes.join(", ") }])];
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
  const left = "left" in seen && seen.left.length > 0 ? `; left out: ${wordsOf(seen.left)}` : "";
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
