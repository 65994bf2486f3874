import type { ExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { OperationSource, Written, WrittenOperation } from "../../kernel/operation-source.ts";
import type { Operation } from "../../kernel/root-history.ts";
import { type FileOfCommit, listChanges } from "./list-changes.ts";
import { type Message, parseMessage } from "./message.ts";
import { readNamed, sizesOfNamed } from "./read-contents.ts";
import { readObjects } from "./read-objects.ts";
import type { Git } from "./run-git.ts";
import { toTreePath } from "./tree-path.ts";

/** So many commits are read at once; one that imported a root names a thousand documents. */
const commitsAtOnce = 512;
const timeoutMs = 10 * 60_000;

/** A history in git as it was at a commit, oldest first. Its positions are numbers of commits. */
export async function openGitOperations(tip: string | undefined, git: Git): Promise<OperationSource> {
  const listed = tip === undefined ? "" : await git.run(["rev-list", "--reverse", tip], { timeoutMs });
  const ids = listed.toString("utf8").split("\n").filter(Boolean);
  return {
    end: ids.length,
    find: async (id) => {
      const own = ids.indexOf(id);
      const at = own >= 0 || tip === undefined ? own : ids.indexOf(await findCopy(id, tip, git));
      return at < 0 ? undefined : at + 1;
    },
    operations: async function* (after) {
      for (let from = after; from < ids.length; from += commitsAtOnce) {
        yield* readOperations(ids.slice(from, from + commitsAtOnce), from, git);
      }
    },
    contents: (written) =>
      readNamed(
        written.map(({ key }) => key),
        git,
      ),
  };
}

/** The commit that is a copy of an operation; empty where none is. What callers wrote never begins a line so. */
async function findCopy(id: string, tip: string, git: Git): Promise<string> {
  if (!/^[\w-]+$/.test(id)) return "";
  const args = ["log", "-n1", "--format=%H", `--grep=^copied ${JSON.stringify({ operation: id })}$`, tip];
  return (await git.run(args, { timeoutMs })).toString("utf8").trim();
}

async function* readOperations(ids: readonly string[], before: number, git: Git): AsyncGenerator<WrittenOperation> {
  const files = await listChanges(ids, git);
  const found: (Operation & { readonly position: number; readonly left: readonly Left[] })[] = [];
  let read = 0;
  for await (const { id, bytes } of readObjects(ids, git)) {
    read += 1;
    const text = bytes.toString("utf8");
    const message = parseMessage(text.slice(text.indexOf("\n\n") + 2));
    // What says something of this history itself has no document.
    if (!message || message.changes.length === 0) continue;
    const left = leftBy(id, message, files.get(id) ?? []);
    found.push({ ...toOperation(id, message, text), position: before + ids.indexOf(id) + 1, left });
  }
  if (read < ids.length) throw unreadable();
  const all = found.flatMap(({ left }) => left);
  const sizes = await sizesOfNamed(
    all.map(({ key }) => key),
    git,
  );
  const sizeOf = new Map(all.map((one, index) => [one, sizes[index]]));
  for (const { left, ...operation } of found) {
    const written = left.map((one): Written => {
      const size = sizeOf.get(one);
      if (size === undefined) throw unreadable();
      return { ...one, size };
    });
    yield { ...operation, written };
  }
}

type Left = Omit<Written, "size">;

/** What is there after it, by the files of the commit: of two records of one document only one can be. */
function leftBy(id: string, { changes }: Message, files: readonly FileOfCommit[]): Left[] {
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]));
  const left = new Map<ExistingPath, Left>();
  for (const { path, rev } of changes) {
    // One that left a document as it was is in no list of files.
    const key = blobs.has(path) ? blobs.get(path) : `${id}:${toTreePath(path)}`;
    if (rev === undefined && !blobs.has(path)) left.delete(path);
    else if (rev !== undefined && key !== undefined) left.set(path, { path, rev, key });
  }
  return [...left.values()];
}

function toOperation(id: string, message: Message, commit: string): Operation {
  const { author, run, reason, batch, changes, copied } = message;
  return {
    id: copied?.operation || id,
    time: timeOf(message.time, commit),
    author,
    ...(run === undefined ? {} : { run }),
    ...(reason === undefined ? {} : { reason }),
    ...(batch === undefined ? {} : { batch }),
    changes,
  };
}

/** Where a record has none that can be read, the commit has one. */
function timeOf(time: string, commit: string): string {
  const said = Date.parse(time);
  const seconds = Number(/^committer .* ([0-9]+) \+0000$/m.exec(commit)?.[1] ?? 0);
  return new Date(Number.isFinite(said) && said > 0 ? said : seconds * 1000).toISOString();
}

function unreadable(): RecollectError {
  return new RecollectError("STORAGE_FAILED", "A part of history cannot be read. See: recollect verify");
}
