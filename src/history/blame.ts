import type { ExistingPath } from "../core/document-path.ts";
import { textOf } from "./document-text.ts";
import { type Revision, revisionsOf } from "./find-revision.ts";
import { diffOf } from "./merge/diff-lines.ts";
import { splitLines } from "./merge/split-lines.ts";
import type { Operation, RootHistory } from "./root-history.ts";

/** A line of a document, with its line end, and who put it there. */
export interface BlamedLine {
  readonly line: string;
  readonly operation: Operation;
}

const contentsAtOnce = 128;

/** Each line of the newest revision with the operation that it came with; empty where the document is gone. */
export async function blameLines(history: RootHistory, path: ExistingPath): Promise<readonly BlamedLine[]> {
  const revisions: Revision[] = [];
  for await (const revision of revisionsOf(history, path)) revisions.push(revision);
  revisions.reverse();
  let blamed: readonly BlamedLine[] = [];
  for (let from = 0; from < revisions.length; from += contentsAtOnce) {
    const some = revisions.slice(from, from + contentsAtOnce);
    const contents = await history.contents(
      some.map(({ operation: { id }, change: { path: at, rev } }) => ({ id, path: at, side: "after" as const, rev })),
    );
    for (const [index, { operation }] of some.entries()) {
      const bytes = contents[index];
      blamed = bytes
        ? handOn(blamed, splitLines(textOf(bytes) ?? Buffer.from(bytes).toString("latin1")), operation)
        : [];
    }
  }
  return blamed;
}

function handOn(before: readonly BlamedLine[], lines: readonly string[], operation: Operation): BlamedLine[] {
  const { hunks } = diffOf(
    before.map(({ line }) => line),
    lines,
  );
  const after: BlamedLine[] = [];
  let at = 0;
  for (const hunk of hunks) {
    after.push(...before.slice(at, hunk.before.from));
    after.push(...lines.slice(hunk.after.from, hunk.after.to).map((line) => ({ line, operation })));
    at = hunk.before.to;
  }
  return [...after, ...before.slice(at)];
}
