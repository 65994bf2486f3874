import { counted } from "../../../kernel/counted.ts";
import type { ExistingPath } from "../../../kernel/document-path.ts";
import { firstLink, goesOnFrom, linkOf } from "../../../kernel/record-chain.ts";
import { type Rev, revisionOf } from "../../../kernel/revision.ts";
import type { DocumentChange } from "../../../kernel/root-history.ts";
import { type FileOfCommit, listChanges } from "../list-changes.ts";
import { lossSays } from "../loss-says.ts";
import { type Loss, type Message, parseMessage } from "../message.ts";
import { readObjects } from "../read-objects.ts";
import type { Git } from "../run-git.ts";

/** What history says of a document at its end. */
export interface LastRevision {
  readonly rev: Rev | undefined;
  readonly id: string;
  readonly time: string;
  readonly author: string;
}

export interface CommitsReport {
  readonly faults: readonly Fault[];
  readonly operations: number;
  readonly revisions: number;
  readonly last: ReadonlyMap<ExistingPath, LastRevision>;
  /** The records of each folder's journal, in their order. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
}

interface Fault {
  readonly says: string;
  readonly since?: string;
  readonly path?: string;
}

interface Expected {
  readonly rev: Rev;
  readonly path: string;
  readonly since: string;
}

/** Reads every commit from the first on: records, trees and the bytes of every revision must tell the same. */
export async function checkCommits(
  tip: string,
  git: Git,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<CommitsReport> {
  const ids = (await git.run(["rev-list", "--reverse", tip])).toString("utf8").split("\n").filter(Boolean);
  const walk = createWalk();
  const files = await listChanges(ids, git);
  let done = 0;
  for await (const { id, bytes } of readObjects(ids, git)) {
    walk.take(id, bytes.toString("utf8"), files.get(id) ?? []);
    done += 1;
    if (done % 256 === 0) onProgress(done, ids.length);
  }
  if (done !== ids.length) walk.faults.push({ says: `${counted(ids.length - done, "operation")} cannot be read.` });
  walk.faults.push(...walk.loss());
  walk.faults.push(...chainFaults(walk.lines, walk.journals, walk.cutLinks));
  walk.faults.push(...(await contentFaults(walk.expected, git)));
  return {
    faults: walk.faults,
    operations: ids.length,
    revisions: walk.revisions(),
    last: walk.last,
    lines: new Map([...walk.lines].map(([folder, lines]) => [folder, lines.map(({ line }) => line)])),
  };
}

interface ChainedLine {
  readonly line: string;
  readonly time: string;
  /** Whether what came before it was lost: it goes on from nothing that is known. */
  readonly isAfterLoss: boolean;
}

function createWalk() {
  const faults: Fault[] = [];
  const blobs = new Map<string, string>();
  const last = new Map<ExistingPath, LastRevision>();
  const lines = new Map<string, ChainedLine[]>();
  const journals = new Map<string, Set<string>>();
  const expected = new Map<string, Expected>();
  const beforeLoss = new Set<string>();
  const cutLinks = new Map<string, readonly string[]>();
  let revisions = 0;
  let lost: Loss | undefined;

  function take(id: string, commit: string, files: readonly FileOfCommit[]): void {
    for (const { path, blob } of files) {
      if (blob === undefined) blobs.delete(path);
      else blobs.set(path, blob);
    }
    const message = parseMessage(commit.slice(commit.indexOf("\n\n") + 2));
    if (!message) return void faults.push({ says: `The commit ${id.slice(0, 10)} was not made by Recollect.` });
    takeLoss(message);
    takeLines(message);
    const { time, author } = message;
    const changes = Map.groupBy(message.changes, ({ path }) => path);
    for (const [path, all] of changes) {
      // The last one counts; of two documents that became one, that which is there.
      const isThere = blobs.has(path);
      const change = all.findLast(({ rev }) => (rev !== undefined) === isThere) ?? all.at(-1);
      if (!change) continue;
      takeChange(change, time, id);
      last.set(path, { rev: change.rev, id, time, author });
    }
    for (const { path } of files) {
      if (!changes.has(path as ExistingPath)) {
        faults.push({ says: `History has a change of “${path}” without a record.`, since: time, path });
      }
    }
  }

  function takeChange({ path, rev }: DocumentChange, time: string, id: string): void {
    const blob = blobs.get(path);
    if (rev === undefined || blob === undefined) {
      if (rev === undefined && blob === undefined) return;
      faults.push({
        says: `History and its records disagree about “${path}” in ${id.slice(0, 10)}.`,
        since: time,
        path,
      });
      return;
    }
    revisions += 1;
    const known = expected.get(blob);
    if (!known) expected.set(blob, { rev, path, since: time });
    else if (known.rev !== rev) {
      faults.push({ says: `The revision ${rev} of “${path}” is not what history holds.`, since: time, path });
    }
  }

  function takeLoss(message: Message): void {
    if (message.lost) for (const folder of lines.keys()) beforeLoss.add(folder);
    if (message.lost || message.lostKnown) lost = message.lost;
  }

  function takeLines({ lines: found, end, time, cut }: Message): void {
    for (const [folder, links] of Object.entries(cut?.links ?? {})) cutLinks.set(folder, links);
    for (const { folder, line } of found) {
      const known = lines.get(folder);
      const chained = { line, time, isAfterLoss: beforeLoss.delete(folder) };
      if (known) known.push(chained);
      else lines.set(folder, [chained]);
    }
    for (const [folder, position] of Object.entries(end?.positions ?? {})) {
      const journal = journalOf(position);
      if (journal !== undefined) journals.set(folder, (journals.get(folder) ?? new Set()).add(journal));
    }
  }

  const loss = (): Fault[] => (lost ? [{ says: lossSays(lost.time) }] : []);
  return { faults, last, lines, journals, cutLinks, expected, take, loss, revisions: () => revisions };
}

function journalOf(position: unknown): string | undefined {
  if (typeof position !== "object" || position === null || !("journal" in position)) return undefined;
  return typeof position.journal === "string" ? position.journal : undefined;
}

/**
 * Each folder's records are one chain, or one after the other where its journal was deleted and begun anew. What the
 * first one goes on from may have been before history began; where it was dropped since, its link was kept.
 */
function chainFaults(
  lines: ReadonlyMap<string, readonly ChainedLine[]>,
  journals: ReadonlyMap<string, ReadonlySet<string>>,
  cutLinks: ReadonlyMap<string, readonly string[]>,
): Fault[] {
  return [...lines].flatMap(([folder, chain]) => {
    const cut = cutLinks.get(folder);
    const starts = ["", ...[...(journals.get(folder) ?? [])].map(firstLink), ...(cut ?? [])];
    // More than one where two folders have become one in history, since the name of one had to go.
    const ends = new Set<string>();
    const links = new Set<string>();
    return chain.flatMap(({ line, time, isAfterLoss }, index): Fault[] => {
      const link = linkOf(line);
      if (link === undefined) return [];
      const before = [...ends].find((end) => goesOnFrom(end, line));
      if (before !== undefined) ends.delete(before);
      ends.add(link);
      const isFirst = index === 0 && cut === undefined;
      const isNext = isFirst || isAfterLoss || before !== undefined || starts.some((start) => goesOnFrom(start, line));
      // A power cut can take the last lines of a journal, which history has: then it goes on from an earlier one.
      const isKnown = isNext || [...links].some((known) => goesOnFrom(known, line));
      links.add(link);
      if (isKnown) return [];
      return [{ says: `Records of ${nameOfFolder(folder)} are missing, or were changed.`, since: time, path: folder }];
    });
  });
}

export function nameOfFolder(folder: string): string {
  return folder === "" ? "the folder itself" : `“${folder}”`;
}

async function contentFaults(expected: ReadonlyMap<string, Expected>, git: Git): Promise<Fault[]> {
  const faults: Fault[] = [];
  const left = new Map(expected);
  for await (const { id, bytes } of readObjects([...expected.keys()], git)) {
    const wanted = left.get(id);
    left.delete(id);
    if (wanted && revisionOf(bytes) !== wanted.rev) faults.push(toContentFault(wanted, "is not what history holds"));
  }
  return [...faults, ...[...left.values()].map((one) => toContentFault(one, "cannot be read"))];
}

function toContentFault({ rev, path, since }: Expected, what: string): Fault {
  return { says: `The revision ${rev} of “${path}” ${what}.`, since, path };
}
