import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultCase, faultCases } from "./faults-cases.ts";
import { copyFolder, leftoversIn, prepareFolder, sameTexts, textsIn } from "./faults-folder.ts";
import { judgeAnswer, judgeRecovery, needsRecovery } from "./faults-judge.ts";
import type { Failure } from "./faults-sweep.ts";
import { startWorker, type Worker } from "./faults-worker.ts";

export interface DiskResult {
  readonly summary: string;
  readonly failures: readonly Failure[];
}

interface Shortage {
  readonly of: "space" | "inodes";
  /** How many blocks or inodes are left free. */
  readonly left: number;
}

/**
 * The same operations on a small disk that is really full, or really out of inodes, with 0, 1, 2 …
 * left, up to where every operation fits.
 */
export async function fillSmallDisks(source: string, workspace: string, long: boolean): Promise<DiskResult> {
  const failures: Failure[] = [];
  const mountpoint = join(workspace, "disk");
  mkdirSync(mountpoint);
  if (!mountTmpfs(mountpoint)) {
    return { summary: "skipped the full disk: mounting a tmpfs needs root.", failures };
  }
  const unmount = () => {
    spawnSync("umount", ["-l", mountpoint]);
  };
  process.once("exit", unmount);
  let [refused, acknowledged] = [0, 0];
  const cases = faultCases.filter(({ past }) => past !== "commit was cut off");
  const worker = startWorker(source);
  try {
    for (const test of cases) {
      for (const shortage of shortages(long)) {
        const outcome = await runShort(test, shortage, { mountpoint, workspace, source, worker });
        if (outcome.refused) refused += 1;
        else acknowledged += 1;
        if (outcome.failure) failures.push(outcome.failure);
      }
    }
  } finally {
    await worker.stop();
    unmount();
    process.removeListener("exit", unmount);
  }
  return { summary: `Full disk and no inodes: ${refused} refused, ${acknowledged} acknowledged.`, failures };
}

function shortages(long: boolean): Shortage[] {
  const left = long ? Array.from({ length: 16 }, (_, index) => index) : [0, 1, 2, 4, 6];
  return left.flatMap((free) => [
    { of: "space", left: free },
    { of: "inodes", left: free },
  ]);
}

async function runShort(
  test: FaultCase,
  shortage: Shortage,
  on: { mountpoint: string; workspace: string; source: string; worker: Worker },
): Promise<{ refused: boolean; failure: Failure | undefined }> {
  const { mountpoint, workspace, source, worker } = on;
  const template = join(workspace, `template ${test.name}`);
  if (!existsSync(template)) await prepareFolder(template, test, source);
  const [root, ballast] = [join(mountpoint, "root"), join(mountpoint, "ballast")];
  for (const path of [root, ballast]) rmSync(path, { recursive: true, force: true });
  copyFolder(template, root);
  fill(mountpoint, ballast, shortage);
  await worker.ask({ do: "open", root });
  const answer = await worker.ask({ do: "commit", changes: test.changes });
  const problems = judgeAnswer(test, { answer, found: textsIn(root), hits: [] });
  // To take several documents back needs names as well: where there are none, recovery ends it, and that is told.
  const isOpen = needsRecovery(answer);
  if (answer?.error && !isOpen && answer.error.code !== "DISK_FULL") problems.push(`the code is ${answer.error.code}`);
  const empty = shortage.left === 0;
  if (empty && answer?.ok && test.changes.some(({ kind }) => kind !== "remove")) {
    problems.push("acknowledged although nothing was free");
  }
  rmSync(ballast, { recursive: true, force: true });
  if (isOpen) await worker.ask({ do: "recover" });
  if (answer && !answer.ok && !(isOpen && sameTexts(textsIn(root), test.after))) {
    const retried = await worker.ask({ do: "commit", changes: test.changes });
    if (!retried?.ok) problems.push(`not usable after space was freed: ${retried?.error?.stack ?? "it hangs"}`);
  }
  await worker.ask({ do: "close" });
  await worker.ask({ do: "open", root });
  const recovered = await worker.ask({ do: "recover" });
  const read = await worker.ask({ do: "read", paths: Object.keys(test.after) });
  await worker.ask({ do: "close" });
  problems.push(
    ...judgeRecovery(test.after, { recovered, read }, { found: textsIn(root), leftovers: leftoversIn(root) }),
  );
  const refused = answer?.ok !== true;
  if (problems.length === 0) return { refused, failure: undefined };
  const fault = `${shortage.left} ${shortage.of} left`;
  return { refused, failure: { test: test.name, fault, hit: "", problems, stack: answer?.error?.stack ?? "" } };
}

/** Ballast until exactly so much is free. */
function fill(mountpoint: string, ballast: string, shortage: Shortage): void {
  mkdirSync(ballast);
  writeFileSync(join(ballast, "blocks"), "");
  const { bavail, bsize, ffree } = statfsSync(mountpoint);
  if (shortage.of === "space") {
    writeFileSync(join(ballast, "blocks"), Buffer.alloc((bavail - shortage.left) * bsize));
  } else {
    for (let index = shortage.left; index < ffree; index += 1) writeFileSync(join(ballast, String(index)), "");
  }
}

function mountTmpfs(mountpoint: string): boolean {
  const options = "size=4m,nr_inodes=120";
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "recollect-faults", mountpoint]).status === 0;
}
