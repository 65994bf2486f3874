import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRev, type Rev, revisionOf } from "../../core/revision.ts";
import type { TrailPositions } from "../../core/trail.ts";
import { parseMessage } from "./message.ts";
import type { Git } from "./run-git.ts";
import { fromTreePath } from "./tree-path.ts";

/** What history holds at its tip, as the recorder needs it. */
export interface RecordedState {
  readonly tip: string | undefined;
  /** Where the recorder stands in the journals. */
  readonly positions: TrailPositions;
  /** How many run ends those positions are spread over. */
  readonly depth: number;
  /** The blob of each document. */
  readonly blobs: Map<string, string>;
  /** Revisions of blobs, as far as they are known. */
  readonly revs: Map<string, Rev>;
  /** Stamps of documents whose bytes are those of the blob: they need not be read again. */
  readonly stamps: Map<string, number>;
}

const fileName = "recollect-state.json";
/** Positions of all folders come again after so many runs. */
export const maxDepth = 32;

/** From the file that the last run left, or from the commits where it left none. */
export async function readState(folder: string, tip: string | undefined, git: Git): Promise<RecordedState> {
  if (tip === undefined) return { tip, positions: {}, depth: 0, blobs: new Map(), revs: new Map(), stamps: new Map() };
  return readFile(folder, tip) ?? { ...(await readCommits(tip, git)), tip, revs: new Map(), stamps: new Map() };
}

/** Derived: a run that finds none reads the commits, so nothing is lost where it cannot be written. */
export function writeState(folder: string, { tip, positions, depth, blobs, revs, stamps }: RecordedState): void {
  const documents = [...blobs].map(([path, blob]) => [path, blob, stamps.get(path) ?? 0, revs.get(blob) ?? ""]);
  const draft = join(folder, `${fileName}.new`);
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, withCheck(JSON.stringify({ format: 1, tip, positions, depth, documents })), { flag: "wx" });
    renameSync(draft, join(folder, fileName));
  } catch {
    rmSync(draft, { force: true });
  }
}

/** A flipped bit in a stamp or a blob would hide a change for ever. */
function withCheck(text: string): string {
  return `${revisionOf(Buffer.from(text))}\n${text}`;
}

/** "damaged" where it is not as it was written; undefined where there is none. */
export function checkStateFile(folder: string): "whole" | "damaged" | undefined {
  try {
    return parseChecked(readFileSync(join(folder, fileName), "utf8")) === undefined ? "damaged" : "whole";
  } catch {
    return undefined;
  }
}

function parseChecked(text: string): unknown {
  const body = text.slice(text.indexOf("\n") + 1);
  return withCheck(body) === text ? JSON.parse(body) : undefined;
}

function readFile(folder: string, tip: string): RecordedState | undefined {
  let parsed: unknown;
  try {
    parsed = parseChecked(readFileSync(join(folder, fileName), "utf8"));
  } catch {
    return undefined;
  }
  if (!isState(parsed) || parsed.tip !== tip) return undefined;
  const { positions, depth, documents } = parsed;
  return {
    tip,
    positions,
    depth,
    blobs: new Map(documents.map(([path, blob]) => [path, blob])),
    revs: new Map(documents.flatMap(([, blob, , rev]) => (isRev(rev) ? [[blob, rev]] : []))),
    stamps: new Map(documents.flatMap(([path, , stamp]) => (stamp === 0 ? [] : [[path, stamp]]))),
  };
}

interface StateFile {
  readonly tip: string;
  readonly positions: TrailPositions;
  readonly depth: number;
  readonly documents: readonly (readonly [path: string, blob: string, stamp: number, rev: string])[];
}

function isState(value: unknown): value is StateFile {
  if (typeof value !== "object" || value === null) return false;
  const { format, tip, positions, depth, documents } = value as Record<string, unknown>;
  return (
    format === 1 &&
    typeof tip === "string" &&
    typeof positions === "object" &&
    positions !== null &&
    Number.isInteger(depth) &&
    Array.isArray(documents) &&
    documents.every(isDocument)
  );
}

function isDocument(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [path, blob, stamp, rev] = value;
  return [path, blob, rev].every((one) => typeof one === "string") && Number.isFinite(stamp);
}

/** What the commits alone say. */
export async function readCommits(
  tip: string,
  git: Git,
): Promise<Pick<RecordedState, "positions" | "depth" | "blobs">> {
  const listing = await git.run(["ls-tree", "-r", "-z", "--full-tree", tip]);
  const blobs = new Map(
    listing
      .toString("utf8")
      .split("\0")
      .flatMap((line) => {
        const [, blob, path] = /^100644 blob ([0-9a-f]{40})\t(.+)$/s.exec(line) ?? [];
        return blob === undefined || path === undefined ? [] : [[fromTreePath(path), blob] as const];
      }),
  );
  return { blobs, ...(await readPositions(tip, git)) };
}

async function readPositions(tip: string, git: Git): Promise<Pick<RecordedState, "positions" | "depth">> {
  const printed = await git.run(["log", "-z", "--format=%B", "--grep=^end {", `-n${maxDepth + 1}`, tip]);
  const ends = printed
    .toString("utf8")
    .split("\0")
    .flatMap((text) => parseMessage(text, () => false)?.end ?? []);
  const depth = ends[0]?.depth ?? 0;
  const used = ends.slice(0, depth + 1).reverse();
  return { depth, positions: Object.assign({}, ...used.map(({ positions }) => positions)) as TrailPositions };
}
