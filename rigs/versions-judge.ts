import { parseExistingPath } from "../src/core/document-path.ts";
import { revisionOf } from "../src/core/revision.ts";
import type { History as FullHistory } from "../src/history/history.ts";
import type { Operation } from "../src/history/root-history.ts";
import type { Deletion, StepsReport } from "./versions-steps.ts";
import type { Acknowledged, VersionsWorld } from "./versions-world.ts";

type History = Pick<FullHistory, "log" | "show">;

/** How soon a server records what it acknowledged. */
const recordedAfterMs = 2000;

export interface Verdict {
  readonly restorable: number;
  /** Not restorable, and `verify` says so. */
  readonly named: number;
  /** Not recorded yet when their folder was deleted; how old the oldest of them was. */
  readonly deletedBefore: number;
  readonly oldestMs: number;
  /** The rest: broken promises, in words. */
  readonly lost: readonly string[];
}

/** Whether each acknowledged version can be restored, byte for byte. */
export async function judge(world: VersionsWorld, report: StepsReport): Promise<Verdict> {
  const verify = await world.verify();
  const says = verify.findings.map((finding) => finding.says).join("\n");
  const kept = await keptVersions(world);
  const lost: string[] = [];
  let [restorable, named, deletedBefore, oldestMs] = [0, 0, 0, 0];
  for (const version of report.acknowledged) {
    const { place, rev, text, answered } = version;
    const deletion = deletionOf(version, report);
    if (rev === undefined ? kept.texts.includes(text) : kept.revisions.has(rev)) restorable += 1;
    else if (rev !== undefined && says.includes(rev)) named += 1;
    else if (deletion) {
      deletedBefore += 1;
      oldestMs = Math.max(oldestMs, deletion.begun - answered);
    } else lost.push(`${place} ${rev ?? ""} “${text}”, acknowledged at ${new Date(answered).toISOString()}`);
  }
  return { restorable, named, deletedBefore, oldestMs, lost };
}

/** The deletion that took the only copies of a version: before a server or the next one could record it. */
function deletionOf(version: Acknowledged, { deletions, kills }: StepsReport): Deletion | undefined {
  return deletions.find(({ place, begun, ended }) => {
    if (place !== version.place || ended < version.sent) return false;
    const sinceKill = kills.findLast((kill) => kill.begun < begun && kill.ended > version.answered);
    return begun - (sinceKill?.ended ?? version.answered) < recordedAfterMs;
  });
}

interface Kept {
  readonly revisions: Set<string>;
  /** All that was ever written, one version after the other. */
  texts: string;
}

async function keptVersions(world: VersionsWorld): Promise<Kept> {
  const workspace = await world.open();
  const kept: Kept = { revisions: new Set(), texts: "" };
  try {
    const history = await workspace.history();
    await history.catchUp({ waitMs: 60_000 });
    for (const root of history.roots) {
      await addVersions(history, root, kept);
    }
  } finally {
    await workspace.close();
  }
  return kept;
}

/** Every version of a root whose bytes are really there. */
async function addVersions(history: History, root: string, kept: Kept): Promise<void> {
  for (const { changes } of await operationsOf(history, root)) {
    for (const { path, rev } of changes) {
      if (rev === undefined) continue;
      const { bytes } = await history.show({ root, path: parseExistingPath(path) }, rev);
      if (!bytes || revisionOf(bytes) !== rev) continue;
      kept.revisions.add(rev);
      kept.texts += Buffer.from(bytes).toString("utf8");
    }
  }
}

async function operationsOf(history: History, root: string): Promise<Operation[]> {
  const all: Operation[] = [];
  for (let after: string | undefined; ; ) {
    const page = await history.log({ root, limit: 500, after });
    all.push(...page.operations);
    if (page.next === undefined) return all;
    after = page.next;
  }
}
