import type { ExistingPath } from "../kernel/document-path.ts";
import type { Rev } from "../kernel/revision.ts";
import type { Operation, RootHistory } from "../kernel/root-history.ts";
import { diffOf } from "../text/diff-lines.ts";
import { splitLines } from "../text/split-lines.ts";
import { textOf } from "./document-text.ts";
import { type Revision, revisionsOf } from "./find-revision.ts";

/** A line of a document, with its line end, and who put it there. */
export interface BlamedLine {
  readonly line: string;
  readonly operation: Operation;
}

const contentsAtOnce = 128;

/**
 * Each line of the newest revision with the operation that it came with; empty where the document is gone. What an undo
 * or a restore brings back is still who wrote it first (USE-8): a text that the document had before is blamed as it was
 * then, and of a text that is new as a whole, the lines that were there before.
 */
export async function blameLines(history: RootHistory, path: ExistingPath): Promise<readonly BlamedLine[]> {
  const revisions: Revision[] = [];
  for await (const revision of revisionsOf(history, path)) revisions.push(revision);
  revisions.reverse();
  let blamed: readonly BlamedLine[] = [];
  const before = createPast(revisions);
  for (let from = 0; from < revisions.length; from += contentsAtOnce) {
    const some = revisions.slice(from, from + contentsAtOnce);
    const contents = await history.contents(
      some.map(({ operation: { id }, change: { path: at, rev } }) => ({ id, path: at, side: "after" as const, rev })),
    );
    for (const [index, { operation, change }] of some.entries()) {
      const bytes = contents[index];
      const lines = bytes ? splitLines(textOf(bytes) ?? Buffer.from(bytes).toString("latin1")) : [];
      const fresh = handOn(blamed, lines, operation);
      const now = before.at(change.rev) ?? (isBringingBack(operation) ? before.withOld(fresh, operation) : fresh);
      before.add(change.rev, now, blamed);
      blamed = now;
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

/** As this program itself writes it; whoever else says so gains nothing but to give credit to others. */
function isBringingBack({ reason = "" }: Operation): boolean {
  return /^(?:undo|restore) of /.test(reason);
}

/** What a document was and is again, and the lines that are not in it any more; of both only what is asked for later. */
function createPast(all: readonly Revision[]) {
  const counts = Map.groupBy(all, ({ change }) => change.rev);
  const isAsked = all.some(({ operation }) => isBringingBack(operation));
  const revisions = new Map<Rev, readonly BlamedLine[]>();
  const gone = new Map<string, BlamedLine[]>();

  function lose(one: BlamedLine): void {
    const same = gone.get(one.line);
    if (same) same.push(one);
    else gone.set(one.line, [one]);
  }

  return {
    at: (rev: Rev | undefined) => (rev === undefined ? undefined : revisions.get(rev)),
    add: (rev: Rev | undefined, now: readonly BlamedLine[], former: readonly BlamedLine[]) => {
      const isRepeated = (counts.get(rev)?.length ?? 0) > 1;
      if (rev !== undefined && isRepeated && !revisions.has(rev)) revisions.set(rev, now);
      if (!isAsked) return;
      const isLeft = new Set(now);
      // The last of several comes back first.
      for (const one of former) if (!isLeft.has(one)) lose(one);
    },
    withOld: (lines: readonly BlamedLine[], operation: Operation): readonly BlamedLine[] =>
      lines.map((one) => (one.operation === operation ? (gone.get(one.line)?.pop() ?? one) : one)),
  };
}
