import type { ExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { DocumentChange, LogPage, LogRequest, Operation } from "../../kernel/root-history.ts";
import { nameOfAuthor } from "./import-stream.ts";
import { type Message, parseMessage } from "./message.ts";
import type { Git } from "./run-git.ts";
import { toTreePath } from "./tree-path.ts";

/** Where a log goes on: a commit, and what the document was called then. */
interface Place {
  readonly from: string;
  readonly path?: ExistingPath | undefined;
}

interface Commit {
  readonly id: string;
  readonly parent: string | undefined;
  readonly message: string;
}

const fewestAsked = 32;
/** Clocks of several machines differ; further back than this nothing newer is looked for. */
const slackMs = 24 * 3_600_000;

/** `onDamage` is told where what came before cannot be read: what follows it is all that there is. */
export async function readLog(
  request: LogRequest,
  tip: string,
  git: Git,
  onDamage: () => void = () => {},
): Promise<LogPage> {
  const operations: Operation[] = [];
  for await (const { operation, at } of walkLog(request, tip, git, onDamage)) {
    if (operations.length === request.limit) return { operations, next: toToken({ ...at, from: operation.id }) };
    operations.push(operation);
  }
  return { operations, next: undefined };
}

/** Newest first, one git process for each name that a document had. */
async function* walkLog(
  request: LogRequest,
  tip: string,
  git: Git,
  onDamage: () => void,
): AsyncGenerator<{ readonly operation: Operation; readonly at: Place }> {
  const asked = Math.max(request.limit + 1, fewestAsked);
  let place: Place | undefined =
    request.after === undefined ? { from: tip, path: request.path } : parseToken(request.after);
  while (place !== undefined) {
    const at: Place = place;
    const commits = await listCommits(request, at, asked, { git, onDamage });
    place = commits.length === asked ? before(commits.at(-1), at.path) : undefined;
    for (const commit of commits) {
      const operation = toOperation(commit, request, at.path);
      if (operation) yield { operation, at };
      if (isPast(commit, request)) return;
      const moved = at.path === undefined ? undefined : movedFrom(commit, at.path);
      if (moved === undefined) continue;
      place = before(commit, moved);
      break;
    }
  }
}

function before(commit: Commit | undefined, path: ExistingPath | undefined): Place | undefined {
  return commit?.parent === undefined ? undefined : { from: commit.parent, path };
}

async function listCommits(
  request: LogRequest,
  { from, path }: Place,
  count: number,
  { git, onDamage }: { readonly git: Git; readonly onDamage: () => void },
): Promise<readonly Commit[]> {
  const { author, run, batch, until, folder } = request;
  const greps = [
    ...(run === undefined ? [] : [`--grep="run":${JSON.stringify(run)}`]),
    ...(batch === undefined ? [] : [`--grep="batch":${JSON.stringify(batch)}`]),
  ];
  const only = path ?? folder;
  const args = [
    "log",
    "-z",
    "--format=%H%x00%P%x00%B",
    `-n${count}`,
    ...(author === undefined && greps.length === 0 ? [] : ["-F", "--all-match"]),
    ...(author === undefined ? [] : [`--author=${nameOfAuthor(author)} <>`]),
    ...greps,
    ...(until === undefined ? [] : [`--until=@${Math.floor(Date.parse(until) / 1000) + 1} +0000`]),
    "--end-of-options",
    from,
    "--",
    ...(only === undefined ? [] : [toTreePath(only)]),
  ];
  // It prints what it finds until it comes to what it cannot read.
  const { code, printed } = await git.attempt(args);
  if (code !== 0 && printed.length === 0) await git.run(args);
  if (code !== 0) onDamage();
  const fields = printed.toString("utf8").split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [id = "", parents = "", message = ""] = fields.slice(at, at + 3);
    commits.push({ id, parent: parents.split(" ")[0] || undefined, message });
  }
  return commits;
}

/** Undefined where it holds nothing that was asked for. */
function toOperation(
  { id, message }: Commit,
  request: LogRequest,
  path: ExistingPath | undefined,
): Operation | undefined {
  const parsed = parseMessage(message, wanted(request, path));
  if (!parsed || parsed.changes.length === 0 || !fits(parsed, request)) return undefined;
  const { time, author, run, reason, batch } = parsed;
  return {
    id,
    time,
    author,
    ...(run === undefined ? {} : { run }),
    ...(reason === undefined ? {} : { reason }),
    ...(batch === undefined ? {} : { batch }),
    changes: path === undefined ? parsed.changes : parsed.changes.map((change) => withGoal(change, message)),
  };
}

/** One that is gone may have another name now, which only the whole operation tells. */
function withGoal(change: DocumentChange, message: string): DocumentChange {
  if (change.rev !== undefined) return change;
  const to = parseMessage(message)?.changes.find(({ from }) => from === change.path)?.path;
  return to === undefined ? change : { ...change, to };
}

function wanted({ folder }: LogRequest, path: ExistingPath | undefined): ((path: string) => boolean) | undefined {
  if (path !== undefined) return (one) => one === path;
  return folder === undefined ? undefined : (one) => one.startsWith(`${folder}/`);
}

function fits({ author, run, batch, time }: Message, request: LogRequest): boolean {
  const at = Date.parse(time);
  return (
    (request.author === undefined || request.author === author) &&
    (request.run === undefined || request.run === run) &&
    (request.batch === undefined || request.batch === batch) &&
    (request.since === undefined || at >= Date.parse(request.since)) &&
    (request.until === undefined || at <= Date.parse(request.until))
  );
}

function isPast({ message }: Commit, { since }: LogRequest): boolean {
  if (since === undefined) return false;
  const time = Date.parse(parseMessage(message, () => false)?.time ?? "");
  return time < Date.parse(since) - slackMs;
}

function movedFrom({ message }: Commit, path: ExistingPath): ExistingPath | undefined {
  const changes: readonly DocumentChange[] = parseMessage(message, (one) => one === path)?.changes ?? [];
  return changes.find(({ from }) => from !== undefined)?.from;
}

function toToken(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

export function parseToken(token: string): Place {
  try {
    const { from, path } = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as Place;
    if (/^[0-9a-f]{40}$/.test(from) && (path === undefined || typeof path === "string")) return { from, path };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RecollectError("INVALID_ARGUMENT", "This is not where a page of history ended. Begin without it.");
}
