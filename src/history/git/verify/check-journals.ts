import type { VerifyFinding } from "../../../kernel/finding.ts";
import { firstLink, linkOf } from "../../../kernel/record-chain.ts";
import type { Rev } from "../../../kernel/revision.ts";
import type { FolderEvidence, Trail, TrailPositions, TrailRecord } from "../../../kernel/trail.ts";
import { type CommitsReport, nameOfFolder } from "./check-commits.ts";

export interface JournalsReport {
  readonly findings: readonly VerifyFinding[];
  /** Records that history has not taken over yet, those of each folder in their order. */
  readonly pending: readonly TrailRecord[];
  readonly cutOff: readonly string[];
  /** Folders whose records cannot be read, so nothing can be said of their documents. */
  readonly refused: readonly string[];
  /** Every record after where history stands, also those that it has from elsewhere. */
  readonly seen: ReadonlySet<string>;
}

export interface JournalsContext {
  readonly trail: Trail;
  /** Undefined where history cannot be read: then the journals are looked at by themselves. */
  readonly commits: Pick<CommitsReport, "lines" | "last"> | undefined;
  readonly positions: TrailPositions;
}

interface KnownContext extends JournalsContext {
  readonly commits: Pick<CommitsReport, "lines" | "last">;
}

/** The journals themselves, against what history has of them, and the bytes that wait for it. */
export async function checkJournals(context: JournalsContext): Promise<JournalsReport> {
  const { trail, commits, positions } = context;
  const folders = await trail.inspect(positions);
  const cutOff = folders.filter(({ isCutOff }) => isCutOff).map(({ folder }) => folder);
  const faults = folders.flatMap((one) => faultsOf(one, trail.root));
  const seen = new Set(folders.flatMap((one) => one.pending.map(({ line }) => line)));
  const refused = folders.filter(({ refusal }) => refusal !== undefined).map(({ folder }) => folder);
  if (!commits) return { findings: faults, pending: [], cutOff, refused, seen };
  const known = { ...context, commits };
  const links = linksOf(commits.lines);
  const pending = folders.flatMap((one) => one.pending.filter(({ line }) => !links.has(linkOf(line) ?? "")));
  const differing = folders.flatMap((one) => differences(one, known, links));
  return {
    findings: [
      ...faults,
      ...folders.flatMap((one) => forksOf(one, pending, trail)),
      ...differing,
      ...missingJournals(folders, known),
      ...missingBytes(pending, known),
    ],
    pending,
    cutOff,
    refused,
    seen,
  };
}

/** A folder that a person moved brings records with it that history has under its former name. */
function linksOf(lines: ReadonlyMap<string, readonly string[]>): Set<string> {
  return new Set([...lines.values()].flatMap((all) => all.flatMap((line) => linkOf(line) ?? [])));
}

function faultsOf({ folder, faults, badBytes, refusal }: FolderEvidence, root: string): VerifyFinding[] {
  const revs = badBytes.map((rev) => `holds wrong bytes for the revision ${rev}`);
  const found = [...faults, ...revs].map((what) => journalFinding(root, folder, what));
  if (refusal === undefined) return found;
  const says = `The journal of ${nameOfFolder(folder)} cannot be read. ${refusal}`;
  const remedy = "Then run recollect verify again: the documents of this folder were not checked.";
  return [...found, { level: "damaged", root, part: "journal", path: folder, says, remedy }];
}

/** Two writers at once lose nothing as long as the bytes of every revision are there. */
function forksOf({ folder, forks }: FolderEvidence, pending: readonly TrailRecord[], trail: Trail): VerifyFinding[] {
  return forks.map((line) => {
    const path = pending.find((record) => record.line === line)?.path;
    const missing = pending.filter(
      (record) =>
        record.path === path && !record.isVoid && record.rev !== undefined && !trail.bytesOf(record.path, record.rev),
    );
    const what = `forks${timeOf(line)}: two processes wrote there at once, since a lock was deleted while it was held`;
    if (missing.length > 0) {
      const revs = missing.map(({ rev }) => rev).join(", ");
      return journalFinding(trail.root, folder, `${what}, and the revision ${revs} of “${path}” is lost`);
    }
    const says = `The journal of ${nameOfFolder(folder)} ${what}. Nothing is lost: every revision is present.`;
    return { level: "note", root: trail.root, part: "journal", path: folder, says, remedy: "" };
  });
}

/** Where a journal is whole in itself, but not the one that history has read. */
function differences(
  { folder, journal, begins, recorded, pending, faults }: FolderEvidence,
  { trail, commits, positions }: KnownContext,
  links: ReadonlySet<string>,
): VerifyFinding[] {
  if (positions[folder] === undefined || faults.length > 0) return [];
  const inHistory = commits.lines.get(folder) ?? [];
  const isInHistory = new Set(inHistory);
  // Their order, and that none is missing between them, the chain tells.
  const unknown = recorded.find((line) => !isInHistory.has(line));
  if (unknown !== undefined) {
    return [journalFinding(trail.root, folder, `has records that differ from those in history${timeOf(unknown)}`)];
  }
  // One that holds its first line alone says there what it goes on from.
  const end = recorded.length === 0 ? linkOf(inHistory.at(-1) ?? "") : undefined;
  const isBegun = begins === undefined || begins === firstLink(journal);
  const isElsewhere = !isBegun && end !== undefined && begins !== end && links.has(end);
  if (!isElsewhere || pending.length > 0) return [];
  return [journalFinding(trail.root, folder, "does not continue where history ends")];
}

/**
 * A folder that a person deleted took its journal along, and one that belongs to another root or to agents by now is not
 * this history's; one that still holds what was written there lost it.
 */
function missingJournals(folders: readonly FolderEvidence[], { trail, commits, positions }: KnownContext) {
  const isSeen = ({ journal, refusal }: FolderEvidence) => journal !== "" || refusal !== undefined;
  const present = new Set(folders.filter(isSeen).map(({ folder }) => folder));
  const isThere = (folder: string) =>
    [...commits.last].some(
      ([path, { rev }]) =>
        rev !== undefined &&
        path.slice(0, Math.max(0, path.lastIndexOf("/"))) === folder &&
        trail.look(path).kind === "document",
    );
  return Object.keys(positions)
    .filter((folder) => !present.has(folder) && isThere(folder))
    .map((folder) => journalFinding(trail.root, folder, "is missing"));
}

/**
 * What a record superseded is kept until history has taken the record over. One that never took effect superseded
 * nothing.
 */
function missingBytes(pending: readonly TrailRecord[], { trail, commits }: KnownContext): VerifyFinding[] {
  const findings: VerifyFinding[] = [];
  const state = new Map<string, Rev | undefined>([...commits.last].map(([path, { rev }]) => [path, rev]));
  for (const { path, rev, was, time, isVoid } of pending) {
    const isThere = rev === undefined ? !isVoid : trail.bytesOf(path, rev) !== undefined;
    const isInHistory = was === undefined || state.get(path) === was;
    if (was !== undefined && (isThere || !isInHistory) && !trail.bytesOf(path, was)) {
      const lost = isInHistory
        ? "are missing, but history has them"
        : "are missing, and history does not have them either";
      findings.push({
        level: "damaged",
        root: trail.root,
        part: "journal",
        path,
        since: time,
        says: `The kept bytes of the revision ${was} of “${path}”, superseded at ${time}, ${lost}.`,
        remedy: isInHistory ? "Nothing is lost. To record what waits: recollect log" : restoreFromBackup,
      });
    }
    // Only what history itself has counts as there: everything since must be kept.
    state.set(path, undefined);
  }
  return findings;
}

export const restoreFromBackup =
  "Restore “.recollect” of this folder from a backup that is not older than its last change. Without one, keep working: the documents are not affected, and the log says from when on it is complete.";

function journalFinding(root: string, folder: string, what: string): VerifyFinding {
  const since = /\((\d{4}-[^)]+Z)\)$/.exec(what)?.[1];
  return {
    level: "damaged",
    root,
    part: "journal",
    path: folder,
    ...(since === undefined ? {} : { since }),
    says: `The journal of ${nameOfFolder(folder)} ${what}.`,
    remedy: restoreFromBackup,
  };
}

function timeOf(line: string | undefined): string {
  const time = /"time":"([^"]+)"/.exec(line ?? "")?.[1];
  return time === undefined ? "" : ` (${time})`;
}
