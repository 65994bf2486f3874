import { setTimeout as delay } from "node:timers/promises";
import type { DescribeChange } from "../../../kernel/backend.ts";
import { isRecollectError, RecollectError } from "../../../kernel/errors.ts";
import {
  noHistoryYet,
  type OnVerifyProgress,
  type RootVerification,
  type VerifyFinding,
} from "../../../kernel/finding.ts";
import type { Trail, TrailPositions } from "../../../kernel/trail.ts";
import { checkRepository, type Repair } from "../check-repository.ts";
import { type Mirror, type MirrorOptions, openMirror } from "../mirror.ts";
import { placeTaken } from "../quick-faults.ts";
import { readContents } from "../read-contents.ts";
import { readCommits } from "../recorded-state.ts";
import { openRepository, type Repository } from "../repository.ts";
import { createGit, type Git } from "../run-git.ts";
import { parseTipNote } from "../tip-note.ts";
import { findVanished } from "../vanished.ts";
import { type CommitsReport, checkCommits, nameOfFolder } from "./check-commits.ts";
import { checkDocuments } from "./check-documents.ts";
import { checkJournals, restoreFromBackup } from "./check-journals.ts";
import { checkMirror } from "./check-mirror.ts";

export interface VerifyRootOptions {
  readonly trail: Trail;
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly describe?: DescribeChange | undefined;
  /** Where a second copy of the history is kept. */
  readonly mirror?: MirrorOptions | undefined;
  readonly onProgress?: OnVerifyProgress | undefined;
  /** How long to wait for another process that records. */
  readonly waitMs?: number;
}

/** While others write, what looks wrong may only have changed in between. */
const mostLooks = 4;
const pollMs = 25;

/**
 * Proves that documents, journals and history of one root agree, and changes nothing: what was written since history
 * was last recorded is taken from the journals. Nobody records meanwhile, so history stands still; documents may change.
 */
export async function verifyRoot(options: VerifyRootOptions): Promise<RootVerification> {
  const { trail } = options;
  const refusal = trail.refusal();
  const nothing = { root: trail.root, documents: 0, operations: 0, revisions: 0, pending: 0 };
  if (refusal !== undefined) {
    const findings = [note(trail.root, refusal)];
    return { ...nothing, isUnchecked: true, findings };
  }
  const alone = await holdAlone(options);
  try {
    let seen: RootVerification | undefined;
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const before = await standOf(trail);
      seen = await lookAt(options);
      const isSure = seen.findings.every(({ level }) => level === "note");
      if (isSure || before === (await standOf(trail))) return seen;
    }
    return seen ?? { ...nothing, findings: [] };
  } finally {
    alone?.release();
  }
}

/** Undefined where there is nothing to hold, or nobody may. */
async function holdAlone({ trail, waitMs = 60_000 }: VerifyRootOptions): Promise<{ release(): void } | undefined> {
  if (trail.existingPlace() === undefined) return undefined;
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      const alone = trail.tryAlone();
      if (alone) return alone;
    } catch (error) {
      if (!isRecollectError(error) || !["READ_ONLY", "PERMISSION_DENIED"].includes(error.code)) throw error;
      return undefined;
    }
    if (performance.now() >= until) throw new RecollectError("BUSY", "Another process records history. Try again.");
    await delay(pollMs);
  }
}

/** Changes whenever documents, journals or packs did. */
async function standOf(trail: Trail): Promise<string> {
  const folders = await trail.inspect({});
  const place = trail.existingPlace();
  const packs = place === undefined ? [] : packSizes(place);
  const documents = [...trail.survey()].map(({ path, stamp }) => [path, stamp]);
  return JSON.stringify([folders.map(({ folder, pending }) => [folder, pending.length]), packs, documents]);
}

/** None where something else is in the place of their folder, which is found elsewhere. */
function packSizes(place: string): readonly number[] {
  try {
    return openRepository(place).packSizes();
  } catch {
    return [];
  }
}

/** Before anything was recorded. */
const noCommits: CommitsReport = { faults: [], operations: 0, revisions: 0, last: new Map(), lines: new Map() };

async function lookAt(options: VerifyRootOptions): Promise<RootVerification> {
  const { trail, describe } = options;
  const { root } = trail;
  const place = trail.existingPlace();
  const history = place === undefined ? undefined : openHistory(place, options);
  const mirror = options.mirror && openMirror(options.mirror, options);
  const tip = history && tipOf(history);
  const mirrored = await checkMirror(mirror, { tip, end: parseTipNote(trail.notedTip() ?? "")?.tip ?? tip });
  const seen = await lookAtHistory(trail, history, { ...options, hasMirror: mirrored.isWhole });
  const { commits, positions } = seen;
  const vanished = await vanishedFindings(history, mirror, options);
  // What is gone with all documents is told once.
  const findings = [
    ...(vanished.length > 0 && !history ? [] : seen.findings),
    ...vanished,
    ...(mirrored.remark === undefined ? [] : [note(root, mirrored.remark)]),
  ];
  if (!commits || (vanished.length > 0 && !history)) return withoutHistory(trail, findings);
  const journals = await checkJournals({ trail, commits, positions });
  const documents = await checkDocuments({
    trail,
    last: commits.last,
    pending: journals.pending,
    recorded: async (path, id) => history && (await readContents([{ id, path, side: "after" }], history.git))[0],
    describe,
  });
  const isRewritten = await writtenSince(journals.seen, trail, positions);
  const cutOff = journals.cutOff.map((folder) =>
    note(
      root,
      `An operation on several documents was interrupted in ${nameOfFolder(folder)}. The next write there completes it.`,
    ),
  );
  // Where nothing was ever recorded, documents without a record are what anybody begins with; documents that vanished
  // together are told of once.
  const isTelling = ({ since, path = "" }: VerifyFinding) =>
    (history !== undefined || since !== undefined) &&
    vanished.length === 0 &&
    !journals.cutOff.includes(folderOf(path)) &&
    !journals.refused.includes(folderOf(path)) &&
    !isRewritten.has(path);
  return {
    root,
    documents: documents.count,
    operations: commits.operations,
    revisions: commits.revisions,
    pending: journals.pending.length,
    findings: [
      ...findings,
      ...journals.findings,
      ...cutOff,
      ...documents.found.filter(isTelling),
      ...trail
        .tooLarge()
        .map((path) => note(root, `“${path}” is too large for history, so none of its versions are kept.`)),
      ...(history ? [] : [note(root, noHistoryYet)]),
    ],
  };
}

/** Undefined also where something else is in its place, which is told with the history itself. */
function tipOf({ repository }: OpenedHistory): string | undefined {
  try {
    repository.check();
    return repository.tip();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return undefined;
  }
}

async function vanishedFindings(
  history: OpenedHistory | undefined,
  mirror: Mirror | undefined,
  { trail, mirror: place, env }: VerifyRootOptions,
): Promise<VerifyFinding[]> {
  if (trail.isPlaceTaken()) return [];
  const mirrored = mirror && place && { mirror, folder: place.folder, env };
  try {
    const vanished = await findVanished(trail, history, mirrored);
    if (!vanished) return [];
    const { says, remedy, isOnOtherBranch } = vanished;
    const level = isOnOtherBranch ? "changed outside" : "damaged";
    return [{ level, root: trail.root, part: "history", says, remedy }];
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    // A history beside the documents that is damaged is told of already.
    if (history) return [];
    const says = "The history is not beside the documents, and its second copy cannot be read.";
    return [{ level: "damaged", root: trail.root, part: "history", says, remedy: repairs }];
  }
}

const repairs = "Repair what can be repaired: recollect log.";

/** Documents that others wrote between the look at the journals and now: what they should be is known the next time. */
async function writtenSince(
  before: ReadonlySet<string>,
  trail: Trail,
  positions: TrailPositions,
): Promise<ReadonlySet<string>> {
  const now = (await trail.inspect(positions)).flatMap(({ pending }) => pending);
  return new Set(now.filter(({ line }) => !before.has(line)).map(({ path }) => path));
}

/** Without it, nobody can say what documents should be; the journals are still worth a look. */
async function withoutHistory(trail: Trail, findings: readonly VerifyFinding[]): Promise<RootVerification> {
  const journals = await checkJournals({ trail, commits: undefined, positions: {} });
  const all = [
    ...findings,
    ...journals.findings,
    note(trail.root, "Without history, the documents cannot be compared."),
  ];
  const figures = { documents: 0, operations: 0, revisions: 0, pending: 0 };
  return { root: trail.root, isUnchecked: true, ...figures, findings: all };
}

interface OpenedHistory {
  readonly repository: Repository;
  readonly git: Git;
}

function openHistory(folder: string, { env }: VerifyRootOptions): OpenedHistory {
  const repository = openRepository(folder);
  return { repository, git: createGit({ folder, env, isShared: repository.isShared }) };
}

const repairedByLog = "Run recollect log, which repairs this, then recollect verify again.";
const broughtBack = "run recollect log: it brings the history back from its mirror. Nothing is lost.";

/** A backup is advised where nothing else can bring back what is gone: an old one sets history back. */
function remedyOf(repair: Repair, hasMirror: boolean): string {
  if (repair === "record") return repairedByLog;
  if (repair === "move") return `Then run recollect log, which makes it again. Nothing is lost.`;
  if (repair === "graph") {
    return "Nothing is lost. Delete “objects/info/commit-graph”, “objects/info/commit-graphs” and “recollect-graph” in “.recollect/history”.";
  }
  return hasMirror ? `Move “.recollect/history” away, then ${broughtBack}` : restoreFromBackup;
}

interface LookOptions extends VerifyRootOptions {
  /** Whether the mirror has all of the history. */
  readonly hasMirror: boolean;
}

async function lookAtHistory(trail: Trail, history: OpenedHistory | undefined, { onProgress, hasMirror }: LookOptions) {
  const damaged = (says: string, more: Partial<VerifyFinding> = {}): VerifyFinding => ({
    level: "damaged",
    root: trail.root,
    part: "history",
    says,
    remedy: restoreFromBackup,
    ...more,
  });
  const noted = trail.notedTip();
  if (trail.isPlaceTaken()) {
    const remedy = hasMirror ? `Then ${broughtBack}` : restoreFromBackup;
    return { findings: [damaged(placeTaken, { remedy })], commits: undefined, positions: {} };
  }
  if (!history) {
    const isGone = noted !== undefined && parseTipNote(noted)?.tip !== undefined;
    const isWrong = noted !== undefined && !parseTipNote(noted);
    if (!isGone && !isWrong) return { findings: [], commits: noCommits, positions: {} };
    const says = "The history, “.recollect/history”, is gone.";
    return { findings: [damaged(says)], commits: undefined, positions: {} };
  }
  const { repository, git } = history;
  const faults = await checkRepository(repository, git, noted);
  const findings = faults.map(({ says, repair }) =>
    damaged(`The history is damaged. ${says}`, { remedy: remedyOf(repair, hasMirror) }),
  );
  // What cannot be read of a commit comes right together with the objects.
  const objects = faults.find(({ says }) => says.startsWith("Some of its objects"));
  const remedy = objects ? remedyOf(objects.repair, hasMirror) : restoreFromBackup;
  try {
    repository.check();
    const tip = repository.tip();
    if (tip === undefined) {
      return { findings, commits: findings.length === 0 ? noCommits : undefined, positions: {} };
    }
    const tell = (done: number, total: number) => onProgress?.({ root: trail.root, doing: "history", done, total });
    const commits = await checkCommits(tip, git, tell);
    const told = commits.faults.map(({ says, since, path }) =>
      damaged(says, { remedy, ...(since === undefined ? {} : { since }), ...(path === undefined ? {} : { path }) }),
    );
    return { findings: [...findings, ...told], commits, positions: (await readCommits(tip, git)).positions };
  } catch (error) {
    // So damaged that not even this can be read; what else there is to say was said.
    if (!isRecollectError(error)) throw error;
    const says = findings.length > 0 ? [] : [damaged(`The history is damaged. ${error.message}`, { remedy })];
    return { findings: [...findings, ...says], commits: undefined, positions: {} };
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function note(root: string, says: string): VerifyFinding {
  return { level: "note", root, part: "history", says, remedy: "" };
}
