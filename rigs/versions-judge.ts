import { dirname, join, relative, sep } from "node:path";
import { parseExistingPath } from "../src/kernel/document-path.ts";
import { isRecollectError } from "../src/kernel/errors.ts";
import { revisionOf } from "../src/kernel/revision.ts";
import type { Operation } from "../src/kernel/root-history.ts";
import type { Address } from "../src/kernel/store.ts";
import type { Workspace } from "../src/workspace/workspace.ts";
import type { Acknowledged, Deletion, StepsReport } from "./versions-report.ts";
import { rootNames } from "./versions-surfaces.ts";
import type { VersionsWorld } from "./versions-world.ts";

type History = Pick<Workspace["history"], "log" | "show">;

/** So soon a server has recorded what it acknowledged. A command has when it ends. */
const recordedAfterMs = 2000;

export interface Verdict {
  readonly restorable: number;
  /** Not restorable, and `verify` says so. */
  readonly named: number;
  /** Not recorded yet when their folder was deleted; how old the oldest of them was. */
  readonly excused: number;
  readonly oldestMs: number;
  /** In history, and not found by the name of the document. */
  readonly hidden: readonly string[];
  /** The rest: broken promises, in words. */
  readonly lost: readonly string[];
}

/** Whether each acknowledged version can be restored, byte for byte. */
export async function judge(world: VersionsWorld, report: StepsReport): Promise<Verdict> {
  const verify = await world.verify();
  const says = verify.findings.map((finding) => finding.says).join("\n");
  const kept = await keptVersions(world, new Set(report.acknowledged.map((version) => keyOf(world, version))));
  const judged = report.acknowledged.map((version) => {
    const age = Math.min(...deletionsOf(version, report).map((deletion) => ageAt(deletion, version, report)));
    const fate = fateOf(version, { kept: kept.get(keyOf(world, version)), says, age });
    const others = [...kept].flatMap(([key, { revisions }]) => (revisions.has(version.rev ?? "") ? [key] : []));
    const instead = others.length === 0 ? "" : `, kept as ${others.join(" and ")}`;
    return { fate, age, words: `${wordsOf(world, version)}, ${ageInWords(age)}${instead}` };
  });
  const having = (fate: Fate) => judged.filter((one) => one.fate === fate);
  return {
    restorable: having("restorable").length,
    named: having("named").length,
    excused: having("excused").length,
    oldestMs: Math.max(0, ...having("excused").map(({ age }) => age)),
    hidden: having("hidden").map(({ words }) => words),
    lost: having("lost").map(({ words }) => words),
  };
}

type Fate = "restorable" | "hidden" | "named" | "excused" | "lost";

function fateOf(
  { rev, text, surface }: Acknowledged,
  { kept, says, age }: { readonly kept: Kept | undefined; readonly says: string; readonly age: number },
): Fate {
  if (rev === undefined ? kept?.texts.includes(text) : kept?.revisions.has(rev)) return "restorable";
  if (rev !== undefined && kept?.hidden.has(rev)) return "hidden";
  if (rev !== undefined && says.includes(rev)) return "named";
  return age < (surface === "cli" ? 0 : recordedAfterMs) ? "excused" : "lost";
}

function keyOf(world: VersionsWorld, { place, file }: Acknowledged): string {
  return `${rootNames[place]} ${relative(world.folderOf(place), file)}`;
}

function wordsOf(world: VersionsWorld, { operation, file, rev, text, answered }: Acknowledged): string {
  return `${operation} of ${relative(world.base, file)} ${rev ?? ""} “${text}” at ${new Date(answered).toISOString()}`;
}

function ageInWords(age: number): string {
  return Number.isFinite(age) ? `${age} ms old when its folder was deleted` : "never deleted";
}

/** Those that took the journal and the kept copies beside a document, and were not over before the request. */
export function deletionsOf({ file, sent }: Acknowledged, { deletions }: StepsReport): Deletion[] {
  const metadata = join(dirname(file), ".recollect");
  return deletions.filter(({ path, ended }) => ended >= sent && `${metadata}${sep}`.startsWith(`${path}${sep}`));
}

/**
 * How long there had been a process to record a version when a deletion began. A server that is killed before it had
 * its two seconds leaves the version to the next one; what it had its two seconds for is recorded, whatever comes.
 */
export function ageAt(
  { begun }: Deletion,
  { surface, answered }: Acknowledged,
  { kills }: Pick<StepsReport, "kills">,
): number {
  let from = answered;
  for (const kill of surface === "cli" ? [] : kills) {
    const isCutOff = kill.ended > from && kill.begun - from < recordedAfterMs;
    if (isCutOff && kill.begun < begun) from = kill.ended;
  }
  return begun - from;
}

interface Kept {
  readonly revisions: Set<string>;
  /** The log of the folder has them, and `show` of the document does not find them. */
  readonly hidden: Set<string>;
  /** All that was ever written to the document, one version after the other. */
  texts: string;
}

/** By root and path; only of the documents that were asked for, since a folder may hold thousands. */
async function keptVersions(world: VersionsWorld, asked: ReadonlySet<string>): Promise<ReadonlyMap<string, Kept>> {
  const workspace = await world.open();
  const kept = new Map<string, Kept>();
  try {
    const history = workspace.history;
    await history.catchUp({ waitMs: 60_000 });
    for (const { name } of workspace.roots.filter(({ hasHistory }) => hasHistory)) {
      await addVersions(history, name, { kept, asked });
    }
  } finally {
    await workspace.close();
  }
  return kept;
}

/** Every version of a root whose bytes are really there. */
async function addVersions(
  history: History,
  root: string,
  { kept, asked }: { readonly kept: Map<string, Kept>; readonly asked: ReadonlySet<string> },
): Promise<void> {
  for (const { changes } of await operationsOf(history, root)) {
    for (const { path, rev } of changes) {
      if (rev === undefined || !asked.has(`${root} ${path}`)) continue;
      const found = kept.get(`${root} ${path}`) ?? { revisions: new Set(), hidden: new Set(), texts: "" };
      kept.set(`${root} ${path}`, found);
      const bytes = await bytesOf(history, { root, path: parseExistingPath(path) }, rev);
      if (bytes === undefined) found.hidden.add(rev);
      if (!bytes || revisionOf(bytes) !== rev) continue;
      found.revisions.add(rev);
      found.texts += Buffer.from(bytes).toString("utf8");
    }
  }
}

/** As `recollect show NAME REV` and `recollect restore NAME REV` find them. */
async function bytesOf(history: History, at: Address, rev: string): Promise<Uint8Array | undefined> {
  try {
    return (await history.show(at, rev)).bytes;
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
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
