import { randomUUID } from "node:crypto";
import type { ExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { noLog } from "../../kernel/log.ts";
import type { Trail } from "../../kernel/trail.ts";
import { createPace } from "../pace.ts";
import { readCopyingMark, removeCopyingMark, writeCopyingMark } from "./copying-mark.ts";
import { feedImport } from "./feed-import.ts";
import { mendPacks } from "./mend-packs.ts";
import { mendTip } from "./mend-tip.ts";
import { parseMessage } from "./message.ts";
import { readNamed, sizesOfNamed } from "./read-contents.ts";
import { type RecordedState, readCommits, readState } from "./recorded-state.ts";
import { openRepository } from "./repository.ts";
import { createGit, type Git } from "./run-git.ts";
import { createRunWriter, type RunResult } from "./run-writer.ts";
import { toTipNote } from "./tip-note.ts";
import { type CopiedOperation, writeCopied } from "./write-copied.ts";

export interface GitCopyOptions {
  readonly trail: Trail;
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** So many operations become commits at once. */
  readonly atOnce?: number | undefined;
}

/** A document that is to become what history has: by the names of its bytes, undefined where there are none. */
export interface DocumentStep {
  readonly path: ExistingPath;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Of what it is to become. */
  readonly size: number;
}

/** The history of a root in git, while that of another store is copied into it. Nobody else records meanwhile. */
export interface GitCopy {
  /** The operation that it ends with, by the id that it had where it was copied from; undefined where there is none. */
  last(): Promise<string | undefined>;
  /** From here on, until `finish`, the documents are not what history has. */
  begin(): void;
  /** From here on they are brought to what it has now. */
  beginPlacing(): void;
  /** Whether that had begun, and was cut off: it must come to its end before history goes on. */
  isPlacing(): boolean;
  /** Takes some of them, in one go: killed at any moment, none of them is there. Where the last of them stands. */
  append(operations: AsyncIterator<CopiedOperation>): Promise<number | undefined>;
  /** What is to be done with the documents, in the order of paths; some of it may be done already. */
  steps(): Promise<readonly DocumentStep[]>;
  read(names: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  finish(): void;
  close(): void;
}

const operationsAtOnce = 5000;
/** And so many bytes of documents. */
const bytesAtOnce = 64 * 1024 * 1024;
const timeoutMs = 10 * 60_000;

/** Throws BUSY where another process records. */
export async function openGitCopy({ trail, env, now, atOnce = operationsAtOnce }: GitCopyOptions): Promise<GitCopy> {
  const alone = trail.tryAlone();
  if (!alone) throw new RecollectError("BUSY", "Another process records history there. Try again.");
  try {
    const repository = openRepository(trail.place());
    const git = createGit({ folder: repository.folder, env, isShared: repository.isShared });
    repository.ensure();
    repository.sweep();
    await mendPacks(repository, git, noLog);
    await mendTip({ trail, repository, git, now, log: noLog });
    if (trail.notedTip() === undefined) trail.noteTip(toTipNote(repository.tip()));
    let state: RecordedState = await readState(repository.folder, repository.tip(), { git, pace: createPace() });

    const mark = () => readCopyingMark(repository.folder);

    async function append(operations: AsyncIterator<CopiedOperation>) {
      const branch = repository.runBranch(randomUUID());
      const writer = createRunWriter({ before: state, branch: branch.name, git, now });
      let position: number | undefined;
      async function* commands(): AsyncGenerator<Buffer, RunResult> {
        for (let [count, bytes] = [0, 0]; count < atOnce && bytes < bytesAtOnce; count += 1) {
          const { done, value: next } = await operations.next();
          if (done) break;
          const { operation } = next;
          yield* writeCopied(next, writer);
          bytes += operation.written.reduce((sum, { size }) => sum + size, 0);
          position = operation.position;
        }
        return yield* writer.finish({}, false);
      }
      const run = await feedImport(commands(), branch, { repository, git });
      if (position === undefined) return undefined;
      state = run.state;
      trail.noteTip(toTipNote(state.tip));
      return position;
    }

    return {
      last: () => lastOperation(state.tip, git),
      begin: () => {
        if (!mark()) writeCopyingMark(repository.folder, { from: state.tip, to: undefined });
      },
      beginPlacing: () => {
        const begun = mark();
        if (begun) writeCopyingMark(repository.folder, { ...begun, to: state.tip });
      },
      isPlacing: () => mark()?.to !== undefined,
      append,
      steps: async () => {
        const { from, to } = mark() ?? {};
        return to === undefined ? [] : findSteps(from, to, git);
      },
      read: (names) => readNamed(names, git),
      finish: () => removeCopyingMark(repository.folder),
      close: () => alone.release(),
    };
  } catch (error) {
    alone.release();
    throw error;
  }
}

/** Commits that say something of history itself are passed over. */
async function lastOperation(tip: string | undefined, git: Git): Promise<string | undefined> {
  for (let from = tip; from !== undefined; ) {
    const printed = await git.run(["log", "-z", "-n32", "--format=%H%x00%P%x00%B", from], { timeoutMs });
    const fields = printed.toString("utf8").split("\0");
    from = undefined;
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [id = "", parent = "", text = ""] = fields.slice(at, at + 3);
      const message = parseMessage(text);
      if (message && message.changes.length > 0) return message.copied?.operation || id;
      from = parent.split(" ")[0] || undefined;
    }
  }
  return undefined;
}

async function findSteps(from: string | undefined, to: string, git: Git): Promise<readonly DocumentStep[]> {
  const blobsOf = async (commit: string) => (await readCommits(commit, git)).blobs;
  const [before, after] = [from === undefined ? new Map<string, string>() : await blobsOf(from), await blobsOf(to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const sizes = await sizesOfNamed(
    paths.map((path) => after.get(path) ?? before.get(path) ?? ""),
    git,
  );
  const steps = paths.map((path, index): DocumentStep => {
    const goal = after.get(path);
    return {
      path: path as ExistingPath,
      from: before.get(path),
      to: goal,
      size: goal === undefined ? 0 : (sizes[index] ?? 0),
    };
  });
  return steps.sort((one, other) => (one.path < other.path ? -1 : 1));
}
