import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import type { RunResult } from "./run-writer.ts";

const timeoutMs = 30 * 60_000;
/** Of small documents many go at once: each write wakes the other process. */
const pieceBytes = 64 * 1024;

/**
 * Lets one process of git write all commits of a run, and then moves the branch: killed at any moment before that, the
 * next run begins where this one did. The tip stays where there was nothing to write.
 */
export async function feedImport(
  commands: AsyncGenerator<Buffer, RunResult>,
  branch: ReturnType<Repository["runBranch"]>,
  { repository, git }: { readonly repository: Repository; readonly git: Git },
): Promise<RunResult> {
  const first = await commands.next();
  if (first.done) return first.value;
  let result: RunResult | undefined;
  async function* stream() {
    yield Buffer.from("feature done\n");
    let command = first;
    for (; !command.done; command = await commands.next()) yield command.value;
    result = command.value;
    // Without this word, as after a kill, nothing of it counts.
    yield Buffer.from("done\n");
  }
  await git.run(["fast-import", "--quiet", "--done"], { input: inPieces(stream()), timeoutMs, isPatient: true });
  const tip = branch.tip();
  if (tip === undefined || !result) throw new Error("git fast-import made no commit");
  await repository.moveTip(tip);
  branch.remove();
  return { ...result, state: { ...result.state, tip } };
}

async function* inPieces(commands: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [waiting, size] = [[] as Buffer[], 0];
  for await (const command of commands) {
    waiting.push(command);
    size += command.length;
    if (size < pieceBytes) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  yield Buffer.concat(waiting);
}
