import { foldersOf } from "../../kernel/merge/tree.ts";
import { isRev, type Rev } from "../../kernel/revision.ts";

/** What history has of a document. */
interface RecordedDocument {
  readonly path: string;
  readonly blob: string;
  /** Undefined where nobody has taken it yet. */
  readonly rev: Rev | undefined;
  /** Of a document whose bytes are those of the blob: it need not be read again. 0 where that is not known. */
  readonly stamp: number;
}

/** What history has of all documents. There may be a hundred thousand, so each takes few bytes. */
export interface RecordedDocuments {
  blobAt(path: string): string | undefined;
  revAt(path: string): Rev | undefined;
  stampAt(path: string): number | undefined;
  /** Of a blob that is another one than before, the stamp is not known. */
  set(path: string, blob: string, rev: Rev | undefined): void;
  setStamp(path: string, stamp: number): void;
  delete(path: string): void;
  /** Documents that cannot be there together with one of this path: it is a folder to them, or they are to it. */
  inTheWay(path: string): readonly string[];
  /** Begins to look which of them are there. */
  look(): void;
  /** This one is; told only of documents that history has. */
  see(path: string): void;
  /** Those that were not seen since. */
  unseen(): readonly string[];
  all(): Iterable<RecordedDocument>;
  /** Whether anything is another since they were saved. */
  isChanged(): boolean;
  saved(): void;
}

const blobBytes = 20;
const revBytes = 16;
const noRev = "0".repeat(2 * revBytes);

export function createRecordedDocuments(): RecordedDocuments {
  const rows = new Map<string, number>();
  const folders = new Map<string, number>();
  const free: number[] = [];
  let space = createSpace(64);
  let used = 0;
  let isChanged = false;

  function count(path: string, by: number): void {
    for (const folder of foldersOf(path)) folders.set(folder, (folders.get(folder) ?? 0) + by);
  }

  function addRow(path: string): number {
    const row = free.pop() ?? used++;
    if (row >= space.stamps.length) space = createSpace(Math.ceil(row * 1.5), space);
    // A text of its own: a part of a larger one would keep that one.
    rows.set(Buffer.from(path).toString(), row);
    count(path, 1);
    return row;
  }

  const blobIn = (row: number) => space.blobs.toString("hex", row * blobBytes, (row + 1) * blobBytes);

  function revIn(row: number): Rev | undefined {
    const rev = space.revs.toString("hex", row * revBytes, (row + 1) * revBytes);
    return rev !== noRev && isRev(rev) ? rev : undefined;
  }

  function at<Value>(path: string, read: (row: number) => Value): Value | undefined {
    const row = rows.get(path);
    return row === undefined ? undefined : read(row);
  }

  return {
    blobAt: (path) => at(path, blobIn),
    revAt: (path) => at(path, revIn),
    stampAt: (path) => at(path, (row) => space.stamps[row]),
    set: (path, blob, rev) => {
      isChanged = true;
      const known = rows.get(path);
      const row = known ?? addRow(path);
      if (known === undefined || blobIn(row) !== blob) space.stamps[row] = 0;
      space.seen[row] = 0;
      space.blobs.write(blob, row * blobBytes, "hex");
      space.revs.write(rev ?? noRev, row * revBytes, "hex");
    },
    setStamp: (path, stamp) => {
      const row = rows.get(path);
      if (row === undefined || space.stamps[row] === stamp) return;
      isChanged = true;
      space.stamps[row] = stamp;
    },
    delete: (path) => {
      const row = rows.get(path);
      if (row === undefined) return;
      isChanged = true;
      rows.delete(path);
      free.push(row);
      count(path, -1);
    },
    inTheWay: (path) => {
      const above = foldersOf(path).filter((folder) => rows.has(folder));
      if (!folders.get(path)) return above;
      return [...above, ...[...rows.keys()].filter((one) => one.startsWith(`${path}/`))];
    },
    look: () => void space.seen.fill(0),
    see: (path) => {
      const row = rows.get(path);
      if (row !== undefined) space.seen[row] = 1;
    },
    unseen: () => {
      const found: string[] = [];
      for (const [path, row] of rows) if (space.seen[row] === 0) found.push(path);
      return found;
    },
    all: function* () {
      for (const [path, row] of rows) {
        yield { path, blob: blobIn(row), rev: revIn(row), stamp: space.stamps[row] ?? 0 };
      }
    },
    isChanged: () => isChanged,
    saved: () => {
      isChanged = false;
    },
  };
}

interface Space {
  readonly blobs: Buffer;
  readonly revs: Buffer;
  readonly stamps: Float64Array;
  readonly seen: Uint8Array;
}

function createSpace(rows: number, before?: Space): Space {
  const space = {
    blobs: Buffer.alloc(rows * blobBytes),
    revs: Buffer.alloc(rows * revBytes),
    stamps: new Float64Array(rows),
    seen: new Uint8Array(rows),
  };
  if (!before) return space;
  space.blobs.set(before.blobs);
  space.revs.set(before.revs);
  space.stamps.set(before.stamps);
  space.seen.set(before.seen);
  return space;
}
