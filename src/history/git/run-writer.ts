import type { ExistingPath } from "../../kernel/document-path.ts";
import { type Rev, revisionOf } from "../../kernel/revision.ts";
import type { DocumentChange } from "../../kernel/root-history.ts";
import type { TrailPositions } from "../../kernel/trail.ts";
import { blobId } from "./blob-id.ts";
import { blobCommand, commitCommand, type FileChange } from "./import-stream.ts";
import { type HistoryMark, type KeptLine, outsideAuthor, type RunEnd, type Sighting, toMessage } from "./message.ts";
import type { RecordedDocuments } from "./recorded-documents.ts";
import { maxDepth, type RecordedState } from "./recorded-state.ts";
import type { Git } from "./run-git.ts";
import { subjectOf } from "./subject.ts";

/** One commit to be. */
interface Draft {
  readonly author: string;
  readonly time: string;
  readonly reason?: string | undefined;
  readonly sighting?: Sighting;
  readonly changes: readonly DocumentChange[];
  readonly files: readonly FileChange[];
  readonly lines: readonly KeptLine[];
  readonly copied?: HistoryMark["copied"];
}

export interface RunResult {
  readonly state: RecordedState;
  readonly operations: number;
}

/** What was found without a record, on its way into one commit. */
interface Sightings {
  readonly size: number;
  put(path: ExistingPath, bytes: Uint8Array, rev: Rev): AsyncGenerator<Buffer>;
  takeOut(path: ExistingPath): Promise<void>;
  commit(time: string): Generator<Buffer>;
}

/** Writes the commits of one run as commands, and keeps what history holds after each in its documents. */
export interface RunWriter {
  /** What history has of all documents by now. */
  readonly documents: RecordedDocuments;
  put(path: string, bytes: Uint8Array, rev: Rev): Generator<Buffer, FileChange>;
  remove(path: string): FileChange;
  /** Lines that go with the next commit. */
  passOver(lines: readonly KeptLine[]): void;
  commit(draft: Draft): Generator<Buffer>;
  sightings(kind: Sighting["kind"]): Sightings;
  /** The last commit, with where the run ended, and whether there is more to import. */
  finish(positions: TrailPositions, isImporting: boolean): Generator<Buffer, RunResult>;
}

/** So many commits in one run, and the next need not look past it for where the recorder stood. */
const longRun = 50;

export function createRunWriter(options: {
  readonly before: RecordedState;
  readonly branch: string;
  readonly git: Git;
  readonly now: () => number;
}): RunWriter {
  const { before, branch, git, now } = options;
  const { documents } = before;
  const marks = new Map<string, number>();
  const passedOver: KeptLine[] = [];
  let held: Draft | undefined;
  let [commits, operations] = [0, 0];

  /** The last commit of the run says where it ended, so each is held back until the next one is known. */
  function* commit(draft: Draft): Generator<Buffer> {
    if (held) yield write(held);
    held = { ...draft, lines: [...passedOver.splice(0), ...draft.lines] };
    if (draft.changes.length > 0) operations += 1;
  }

  function write(draft: Draft, end?: RunEnd): Buffer {
    commits += 1;
    const changes = draft.sighting ? draft.changes : [];
    const subject = subjectOf(draft.changes, draft.sighting);
    return commitCommand({
      branch,
      author: draft.author,
      time: draft.time,
      message: toMessage({ ...draft, subject, changes, end }),
      parent: commits === 1 ? before.tip : undefined,
      files: draft.files,
    });
  }

  function* put(path: string, bytes: Uint8Array, rev: Rev): Generator<Buffer, FileChange> {
    const blob = blobId(bytes);
    let mark = marks.get(blob);
    if (mark === undefined) {
      mark = marks.size + 1;
      marks.set(blob, mark);
      yield blobCommand(mark, bytes);
    }
    documents.set(path, blob, rev);
    return { path, mark };
  }

  function remove(path: string): FileChange {
    documents.delete(path);
    return { path, mark: undefined };
  }

  async function recordedRev(path: string): Promise<Rev | undefined> {
    const blob = documents.blobAt(path);
    if (blob === undefined) return undefined;
    return documents.revAt(path) ?? revisionOf(await git.run(["cat-file", "blob", blob]));
  }

  function sightings(kind: Sighting["kind"]): Sightings {
    const changes: DocumentChange[] = [];
    const files: FileChange[] = [];
    return {
      get size() {
        return files.length;
      },
      put: async function* (path, bytes, rev) {
        changes.push({ path, kind, rev, was: await recordedRev(path) });
        files.push(yield* put(path, bytes, rev));
      },
      takeOut: async (path) => {
        changes.push({ path, kind, rev: undefined, was: await recordedRev(path) });
        files.push(remove(path));
      },
      commit: function* (time) {
        if (files.length > 0) yield* see({ kind, time }, withMoves(changes), files);
      },
    };
  }

  function see(sighting: Sighting, changes: readonly DocumentChange[], files: readonly FileChange[]) {
    return commit({ author: outsideAuthor, time: sighting.time, sighting, changes, files, lines: [] });
  }

  function* finish(moved: TrailPositions, isImporting: boolean): Generator<Buffer, RunResult> {
    const isNews = Object.keys(moved).length > 0 || (before.tip !== undefined && before.isImporting !== isImporting);
    const time = new Date(now()).toISOString();
    if (!held && (passedOver.length > 0 || isNews)) yield* see({ kind: "outside", time }, [], []);
    if (!held) return { state: { ...before, isImporting }, operations };
    held = { ...held, lines: [...held.lines, ...passedOver] };
    const isShort = before.tip !== undefined && commits < longRun && before.depth < maxDepth;
    const positions = { ...before.positions, ...moved };
    const stand = isShort ? { positions: moved, depth: before.depth + 1 } : { positions, depth: 0 };
    yield write(held, { ...stand, ...(isImporting ? { isImporting } : {}) });
    return { state: { tip: undefined, positions, depth: stand.depth, isImporting, documents }, operations };
  }

  return {
    documents,
    put,
    remove,
    passOver: (lines) => void passedOver.push(...lines),
    commit,
    sightings,
    finish,
  };
}

/** A document that is gone and one that came with the same text are one that was renamed. */
function withMoves(changes: readonly DocumentChange[]): readonly DocumentChange[] {
  const gone = new Map<Rev, ExistingPath[]>();
  for (const { path, rev, was } of changes) {
    if (rev === undefined && was !== undefined) gone.set(was, [...(gone.get(was) ?? []), path]);
  }
  if (gone.size === 0) return changes;
  return changes.map((change) => {
    if (change.rev === undefined || change.was !== undefined) return change;
    const from = gone.get(change.rev)?.shift();
    return from === undefined ? change : { ...change, from };
  });
}
