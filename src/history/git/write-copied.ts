import { posix } from "node:path";
import type { WrittenOperation } from "../../kernel/operation-source.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { DocumentChange } from "../../kernel/root-history.ts";
import type { FileChange } from "./import-stream.ts";
import { type KeptLine, outsideAuthor, type Sighting } from "./message.ts";
import type { RunWriter } from "./run-writer.ts";

/** An operation, and the bytes of what it left by their revisions, in the order of what it left, in parts. */
export interface CopiedOperation {
  readonly operation: WrittenOperation;
  contents(): AsyncIterable<ReadonlyMap<Rev, Uint8Array>>;
}

/** The commands for one commit, which tells what another history told of an operation. */
export async function* writeCopied(
  { operation, contents: read }: CopiedOperation,
  writer: RunWriter,
): AsyncGenerator<Buffer> {
  const { id, author, time, reason, changes, written } = operation;
  const left = new Map(written.map((one) => [one.path, one]));
  const files: FileChange[] = [];
  for (const path of new Set(changes.map((change) => change.path))) {
    if (!left.has(path)) files.push(writer.remove(path));
  }
  const waiting = [...written];
  for await (const contents of read()) {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const bytes = contents.get(next.rev);
      if (!bytes) break;
      files.push(yield* writer.put(next.path, bytes, next.rev));
      waiting.shift();
    }
  }
  if (waiting.length > 0) throw new RangeError("not all contents of an operation were read");
  const copied = { operation: id };
  const sighting = sightingOf(operation);
  if (sighting) yield* writer.commit({ author, time, sighting, changes, files, lines: [], copied });
  else yield* writer.commit({ author, time, reason, changes, files, lines: linesOf(operation), copied });
}

/** What somebody had found without a record stays that. */
function sightingOf({ author, run, reason, batch, time, changes }: WrittenOperation): Sighting | undefined {
  const kind = changes[0]?.kind;
  const isPlain = author === outsideAuthor && [run, reason, batch].every((one) => one === undefined);
  if (!isPlain || (kind !== "outside" && kind !== "import")) return undefined;
  return changes.every((change) => change.kind === kind) ? { kind, time } : undefined;
}

/** As a journal would have them. They are in none, so no chain goes through them. */
function linesOf({ changes, time, author, run, reason, batch }: WrittenOperation): KeptLine[] {
  const goals = new Map(changes.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path]])));
  return changes.map(({ path, kind, rev, was, from, to }: DocumentChange) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const name = folder === "" ? path : path.slice(folder.length + 1);
    const end = rev === undefined ? (to ?? goals.get(path)) : from;
    const other = end === undefined ? undefined : posix.relative(`/${folder}`, `/${end}`);
    const record = { kind, name, rev, was, other, time, author, run, reason, batch };
    return { folder, line: JSON.stringify(record), isVoid: false };
  });
}
