import { randomUUID } from "node:crypto";
import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import { revisionOf } from "../../../kernel/revision.ts";
import type { TrailPositions } from "../../../kernel/trail.ts";
import { blobCommand, quotePath } from "../import-stream.ts";
import { type FileOfCommit, listChanges } from "../list-changes.ts";
import { parseMessage, toMessage } from "../message.ts";
import { readObjects } from "../read-objects.ts";
import type { Repository } from "../repository.ts";
import type { Git } from "../run-git.ts";
import { createMessageCleaner, type MessageCleaner } from "./clean-message.ts";
import type { RecordCleaner } from "./clean-records.ts";

/** What is to be done with a history, found out before anything is. */
export interface HistoryPlan {
  readonly ids: readonly string[];
  readonly files: ReadonlyMap<string, readonly FileOfCommit[]>;
  /** Blobs that hold the value, and what they are without it. */
  readonly blobs: ReadonlyMap<string, Buffer>;
  /** Commits by their ids: the lines about people, and the message, as they will be. */
  readonly commits: ReadonlyMap<string, CleanCommit>;
  /** Every record, as it was. */
  readonly lines: ReadonlySet<string>;
  readonly concerned: ReadonlySet<string>;
  /** Where the value was: documents, and how many revisions of each. */
  readonly revisions: ReadonlyMap<string, number>;
  readonly isConcerned: boolean;
}

interface CleanCommit {
  readonly people: string;
  readonly message: string;
}

const timeoutMs = 60 * 60_000;

export async function planHistory(
  tip: string,
  git: Git,
  forms: PurgeForms,
  records: RecordCleaner,
): Promise<HistoryPlan> {
  const ids = (await git.run(["rev-list", "--reverse", tip], { timeoutMs }))
    .toString("utf8")
    .split("\n")
    .filter(Boolean);
  const files = await listChanges(ids, git);
  const blobs = await cleanBlobs(files, git, forms, records);
  const texts = new Map<string, string>();
  for await (const { id, bytes } of readObjects(ids, git)) texts.set(id, bytes.toString("utf8"));
  const journals = journalsIn([...texts.values()]);
  const cleaner = createMessageCleaner(forms, records);
  const commits = new Map(ids.map((id) => [id, cleanCommit(texts.get(id) ?? "", cleaner, forms, journals)]));
  const lines = new Set(
    [...texts.values()].flatMap((text) => parseMessage(messageOf(text))?.lines.map(({ line }) => line) ?? []),
  );
  const isChanged = ids.some((id) => {
    const { people, message } = commits.get(id) ?? { people: "", message: "" };
    return texts.get(id)?.endsWith(`${people}\n${message}`) !== true;
  });
  const isRenamed = [...files.values()].flat().some(({ path }) => forms.cleanPath(path) !== path);
  return {
    ids,
    files,
    blobs,
    commits,
    lines,
    concerned: cleaner.concerned,
    revisions: revisionsIn(files, blobs),
    isConcerned: isChanged || isRenamed || blobs.size > 0,
  };
}

async function cleanBlobs(
  files: ReadonlyMap<string, readonly FileOfCommit[]>,
  git: Git,
  forms: PurgeForms,
  records: RecordCleaner,
): Promise<Map<string, Buffer>> {
  const all = new Set([...files.values()].flat().flatMap(({ blob }) => blob ?? []));
  const cleaned = new Map<string, Buffer>();
  for await (const { id, bytes } of readObjects([...all], git)) {
    const clean = forms.clean(bytes);
    if (!clean) continue;
    cleaned.set(id, clean);
    records.learn(revisionOf(bytes), revisionOf(clean));
  }
  return cleaned;
}

function revisionsIn(files: HistoryPlan["files"], blobs: ReadonlyMap<string, Buffer>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, blob } of [...files.values()].flat()) {
    if (blob !== undefined && blobs.has(blob)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/** Which journals each folder ever had: their chains begin with their names. */
function journalsIn(texts: readonly string[]): (folder: string) => ReadonlySet<string> {
  const found = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const [folder, position] of Object.entries(parseMessage(messageOf(text))?.end?.positions ?? {})) {
      const journal =
        typeof position === "object" && position !== null && "journal" in position ? position.journal : "";
      if (typeof journal === "string") found.set(folder, (found.get(folder) ?? new Set()).add(journal));
    }
  }
  const none: ReadonlySet<string> = new Set();
  return (folder) => found.get(folder) ?? none;
}

function messageOf(commit: string): string {
  return commit.slice(commit.indexOf("\n\n") + 2);
}

function cleanCommit(
  text: string,
  cleaner: MessageCleaner,
  forms: PurgeForms,
  journals: (folder: string) => ReadonlySet<string>,
): CleanCommit {
  const people = /^author .*\ncommitter .*\n/m.exec(text)?.[0] ?? "";
  return { people: forms.cleanText(people), message: cleaner.clean(messageOf(text), journals) };
}

export interface PurgeRecord {
  readonly author: string;
  readonly time: string;
  readonly fingerprint: string;
  /** Where the recorder stands in the journals from now on. */
  readonly positions: TrailPositions;
}

/**
 * The same commits without the value, and one more that records the purge, on a branch of their own; then history is
 * moved there at once. What was before is not named by anything any more. With the recorder's lock held.
 */
export async function rewriteHistory(
  plan: HistoryPlan,
  record: PurgeRecord,
  { repository, git, forms }: { readonly repository: Repository; readonly git: Git; readonly forms: PurgeForms },
): Promise<string> {
  const branch = repository.runBranch(randomUUID());
  await git.run(["fast-import", "--quiet", "--done"], { input: commands(plan, record, branch.name, forms), timeoutMs });
  const tip = branch.tip();
  if (tip === undefined) throw new Error("git fast-import made no commit");
  await repository.moveTip(tip);
  branch.remove();
  return tip;
}

function* commands(plan: HistoryPlan, record: PurgeRecord, branch: string, forms: PurgeForms): Generator<Buffer> {
  yield Buffer.from("feature done\n");
  const marks = new Map<string, number>();
  for (const [blob, bytes] of plan.blobs) {
    marks.set(blob, marks.size + 1);
    yield blobCommand(marks.size, bytes);
  }
  for (const id of plan.ids) {
    const commit = plan.commits.get(id);
    if (!commit) throw new Error(`the commit ${id} cannot be read`);
    yield commitOf(branch, commit);
    yield Buffer.from(`${filesOf(plan.files.get(id) ?? [], marks, forms).join("\n")}\n`);
  }
  const { positions, ...purge } = record;
  const sighting = { kind: "outside" as const, time: record.time };
  const subject = "purge a leaked value";
  const message = toMessage({ subject, sighting, purge, changes: [], lines: [], end: { positions, depth: 0 } });
  const when = `${Math.floor(Date.parse(record.time) / 1000)} +0000`;
  yield commitOf(branch, { people: `author outside <> ${when}\ncommitter Recollect <> ${when}\n`, message });
  yield Buffer.from("\ndone\n");
}

function commitOf(branch: string, { people, message }: CleanCommit): Buffer {
  const text = Buffer.from(message);
  return Buffer.concat([Buffer.from(`commit ${branch}\n${people}data ${text.length}\n`), text, Buffer.from("\n")]);
}

/** What goes first, as in any run. */
function filesOf(files: readonly FileOfCommit[], marks: ReadonlyMap<string, number>, forms: PurgeForms): string[] {
  const placed = files.map(({ path, blob }) => ({ path: quotePath(forms.cleanPath(path)), blob }));
  const gone = placed.filter(({ blob }) => blob === undefined).map(({ path }) => `D ${path}`);
  const written = placed.flatMap(({ path, blob }) => {
    if (blob === undefined) return [];
    const mark = marks.get(blob);
    return [`M 100644 ${mark === undefined ? blob : `:${mark}`} ${path}`];
  });
  return [...gone, ...written];
}
