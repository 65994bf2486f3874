import { conflictError, type Expectation, meets } from "../../kernel/conflict.ts";
import { maxKernelSegments, parseDocumentPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type Rev, revisionOf } from "../../kernel/revision.ts";
import type { Change } from "../../kernel/store.ts";
import { changeTopic, type TopicContext } from "./change-topic.ts";
import { readTopicFile } from "./read-topic-file.ts";
import { parseTopicFile, renderTopicFile } from "./topic-file.ts";
import { nameOfTopicPath } from "./topic-paths.ts";

/** What a file of lessons became; without a revision it is gone, since nothing was left in it. */
export interface ChangedTopicFile {
  readonly path: string;
  readonly rev: Rev | undefined;
  /** Which files beside it were left as they are, and what mends that. */
  readonly warnings: readonly string[];
}

/** Called again where the file changes meanwhile; may throw. */
export type NextFileText = (text: string) => string;

/** Changes one file that search may show, with the index where that counts its entries. */
export async function changeTopicFile(
  path: string,
  to: NextFileText,
  expected: Expectation,
  context: TopicContext,
): Promise<ChangedTopicFile> {
  if (!(await readTopicFile(path, {}, context))) throw missingFile(path);
  const next = (text: string) => {
    assertExpected(path, text, expected, context.root);
    return to(text);
  };
  const name = nameOfTopicPath(path);
  if (!name) return changeOther(path, next, context);
  const changed = await changeTopic(
    name,
    (file) => {
      const text = renderTopicFile(file);
      if (text === "") throw missingFile(path);
      return { kept: parseTopicFile(next(text)), pruned: [], removeEmpty: true };
    },
    context,
  );
  return { path, rev: changed?.rev, warnings: changed?.warnings ?? [] };
}

/** A file of the archive, or one that people put there: no index tells of it. */
async function changeOther(
  path: string,
  next: NextFileText,
  { documents, root, stamp }: TopicContext,
): Promise<ChangedTopicFile> {
  const at = { root, path: parseDocumentPath(path, maxKernelSegments) };
  const result = await documents.commit(
    [at],
    (current): Change[] => {
      const before = current(at);
      if (!before) throw missingFile(path);
      const content = next(before.content);
      return content.trim() === "" ? [{ kind: "remove", at }] : [{ kind: "put", at, content }];
    },
    stamp,
  );
  return { path, rev: result.outcomes[0]?.rev, warnings: [] };
}

function assertExpected(path: string, text: string, expected: Expectation, root: string): void {
  const current = revisionOf(Buffer.from(text));
  if (meets(expected, current)) return;
  const at = { root, path: parseDocumentPath(path, maxKernelSegments) };
  throw conflictError({ kind: "conflict", at, current }, expected);
}

function missingFile(path: string): RecollectError {
  return new RecollectError("NOT_FOUND", `There are no lessons in “${path}” any more.`, { data: { path } });
}
