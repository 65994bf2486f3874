import type { ExistingPath } from "../../core/document-path.ts";
import { type Rev, revisionOf } from "../../core/revision.ts";
import type { TrailPositions } from "../../core/trail.ts";
import type { DocumentChange } from "../root-history.ts";
import { blobId } from "./blob-id.ts";
import { createDocumentBlobs } from "./document-blobs.ts";
import type { FoundDocument } from "./find-documents.ts";
import { blobCommand, commitCommand, type FileChange } from "./import-stream.ts";
import { type KeptLine, outsideAuthor, type RunEnd, type Sighting, toMessage } from "./message.ts";
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
}

export interface RunResult {
  readonly state: RecordedState;
  readonly operations: number;
}

/** What was found without a record, on its way into one commit. */
interface Sightings {
  put(path: ExistingPath, bytes: Uint8Array, rev: Rev): AsyncGenerator<Buffer>;
  takeOut(path: ExistingPath): Promise<void>;
  commit(time: string): Generator<Buffer>;
}

/** Writes the commits of one run as commands, and knows what history holds after each. */
export interface RunWriter {
  /** What history has of a document by now. */
  blobAt(path: string): string | undefined;
  blobOf(rev: Rev): string | undefined;
  paths(): readonly ExistingPath[];
  inTheWay(path: string): readonly ExistingPath[];
  learn(bytes: Uint8Array, rev: Rev): string;
  put(path: string, bytes: Uint8Array, rev: Rev): Generator<Buffer, FileChange>;
  remove(path: string): FileChange;
  /** Lines that go with the next commit. */
  passOver(lines: readonly KeptLine[]): void;
  commit(draft: Draft): Generator<Buffer>;
  sightings(kind: Sighting["kind"]): Sightings;
  /** The last commit, with where the run ended. */
  finish(positions: TrailPositions): Generator<Buffer, RunResult>;
}

/** So many commits in one run, and the next need not look past it for where the recorder stood. */
const longRun = 50;

export function createRunWriter(options: {
  readonly before: RecordedState;
  readonly branch: string;
  readonly git: Git;
  readonly now: () => number;
  readonly found: ReadonlyMap<string, FoundDocument>;
}): RunWriter {
  const { before, branch, git, now, found } = options;
  const documents = createDocumentBlobs(before.blobs);
  const { blobs } = documents;
  const revs = new Map(before.revs);
  const blobOfRev = new Map([...revs].map(([blob, rev]) => [rev, blob]));
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
    const subject = draft.sighting?.kind === "import" ? "import what was there" : subjectOf(draft.changes);
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
    const blob = learn(bytes, rev);
    let mark = marks.get(blob);
    if (mark === undefined) {
      mark = marks.size + 1;
      marks.set(blob, mark);
      yield blobCommand(mark, bytes);
    }
    documents.set(path, blob);
    return { path, mark };
  }

  function learn(bytes: Uint8Array, rev: Rev): string {
    const blob = blobId(bytes);
    revs.set(blob, rev);
    blobOfRev.set(rev, blob);
    return blob;
  }

  function remove(path: string): FileChange {
    documents.delete(path);
    return { path, mark: undefined };
  }

  async function recordedRev(path: string): Promise<Rev | undefined> {
    const blob = blobs.get(path);
    if (blob === undefined) return undefined;
    const rev = revs.get(blob) ?? revisionOf(await git.run(["cat-file", "blob", blob]));
    revs.set(blob, rev);
    return rev;
  }

  function sightings(kind: Sighting["kind"]): Sightings {
    const changes: DocumentChange[] = [];
    const files: FileChange[] = [];
    return {
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

  function* finish(moved: TrailPositions): Generator<Buffer, RunResult> {
    const stamps = stampsOf(found, blobs);
    const hasMoved = Object.keys(moved).length > 0;
    const time = new Date(now()).toISOString();
    if (!held && (passedOver.length > 0 || hasMoved)) yield* see({ kind: "outside", time }, [], []);
    if (!held) return { state: { ...before, revs: revsOf(blobs, revs), stamps }, operations };
    held = { ...held, lines: [...held.lines, ...passedOver] };
    const isShort = before.tip !== undefined && commits < longRun && before.depth < maxDepth;
    const positions = { ...before.positions, ...moved };
    const end = isShort ? { positions: moved, depth: before.depth + 1 } : { positions, depth: 0 };
    yield write(held, end);
    const state = { tip: undefined, positions, depth: end.depth, blobs, revs: revsOf(blobs, revs), stamps };
    return { state, operations };
  }

  return {
    blobAt: (path) => blobs.get(path),
    blobOf: (rev) => blobOfRev.get(rev),
    paths: () => [...blobs.keys()] as ExistingPath[],
    inTheWay: (path) => documents.inTheWay(path) as ExistingPath[],
    learn,
    put,
    remove,
    passOver: (lines) => void passedOver.push(...lines),
    commit,
    sightings,
    finish,
  };
}

/** A document that is gone and one that came with the same text are one that was renamed. */
function withMoves(changes: readonly DocumentChange[]): DocumentChange[] {
  const gone = changes.filter(({ rev }) => rev === undefined);
  return changes.map((change) => {
    if (change.rev === undefined || change.was !== undefined) return change;
    const at = gone.findIndex(({ was }) => was === change.rev);
    const [source] = at < 0 ? [] : gone.splice(at, 1);
    return source ? { ...change, from: source.path } : change;
  });
}

/** Those of what is there; the rest would only grow. */
function revsOf(blobs: ReadonlyMap<string, string>, revs: ReadonlyMap<string, Rev>): Map<string, Rev> {
  return new Map(
    [...blobs.values()].flatMap((blob) => {
      const rev = revs.get(blob);
      return rev === undefined ? [] : [[blob, rev]];
    }),
  );
}

function stampsOf(found: ReadonlyMap<string, FoundDocument>, blobs: ReadonlyMap<string, string>): Map<string, number> {
  const same = [...found].filter(([path, { blob, stamp }]) => stamp !== 0 && blobs.get(path) === blob);
  return new Map(same.map(([path, { stamp }]) => [path, stamp]));
}
