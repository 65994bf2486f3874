import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { giveWay } from "../give-way.ts";

export interface SpawnOptions {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Written to its input as it takes it; what it throws ends the command. */
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined;
  readonly timeoutMs: number;
  /** Ends it where it says nothing for so long; with a transport that shows its progress, nothing moves then. */
  readonly silenceMs?: number | undefined;
  /** True ends also what it started: a transport has processes of its own. */
  readonly withGroup?: boolean | undefined;
  /** True for work that nobody waits for: whatever else wants a processor goes first. */
  readonly isPatient?: boolean | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** What it says on its error output, as it comes. */
  readonly onSaid?: ((text: string) => void) | undefined;
}

export interface Ended {
  /** Null where it was ended. */
  readonly code: number | null;
  readonly printed: Buffer;
  readonly said: string;
  /** Why it was ended, where a limit did it. */
  readonly limit: "time" | "silence" | "signal" | undefined;
}

const mostSaid = 100;

/** Runs git to its end. Throws where it could not be started, and what `input` throws. */
export async function spawnGit(options: SpawnOptions): Promise<Ended> {
  const { args, env, cwd, withGroup = false } = options;
  const child = spawn("git", [...args], { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: withGroup });
  if (options.isPatient && child.pid !== undefined) giveWay(child.pid);
  const printed: Buffer[] = [];
  const said: Buffer[] = [];
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const end = () => endChild(child, withGroup);
  const limits = watchLimits(options, end);
  child.stdout.on("data", (chunk: Buffer) => {
    limits.heard();
    printed.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    limits.heard();
    options.onSaid?.(chunk.toString("utf8"));
    said.push(chunk);
    // The first words and the last ones: progress is what there can be much of.
    if (said.length > mostSaid) said.splice(mostSaid / 2, 1);
  });
  ended.catch(() => {}).finally(limits.done);
  // Where it ends before it has read everything, its own words tell more than a broken pipe.
  child.stdin.on("error", () => {});
  let failure: unknown;
  try {
    for await (const chunk of options.input ?? []) {
      if (child.stdin.destroyed || !child.stdin.writable) break;
      if (!child.stdin.write(chunk)) await drained(child.stdin, ended);
    }
    child.stdin.end();
  } catch (error) {
    failure = error;
    end();
  }
  const code = await ended;
  if (failure !== undefined) throw failure;
  return { code, printed: Buffer.concat(printed), said: Buffer.concat(said).toString("utf8"), limit: limits.reached() };
}

/** Not spawn's own: that one stays where the program could not be started, and keeps the process alive. */
function watchLimits({ timeoutMs, silenceMs, signal }: SpawnOptions, end: () => void) {
  let limit: Ended["limit"];
  const reach = (which: Ended["limit"]) => () => {
    limit ??= which;
    end();
  };
  const timer = setTimeout(reach("time"), timeoutMs);
  const silence = silenceMs === undefined ? undefined : setTimeout(reach("silence"), silenceMs);
  const stopped = reach("signal");
  signal?.addEventListener("abort", stopped, { once: true });
  if (signal?.aborted) stopped();
  return {
    heard: () => void silence?.refresh(),
    reached: () => limit,
    done: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      signal?.removeEventListener("abort", stopped);
    },
  };
}

function endChild(child: ChildProcessWithoutNullStreams, withGroup: boolean): void {
  killChild(child, withGroup);
  // What it started may hold them open, and is not waited for.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

function killChild(child: ChildProcessWithoutNullStreams, withGroup: boolean): void {
  if (!withGroup || child.pid === undefined || process.platform === "win32") {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Gone already.
    child.kill("SIGKILL");
  }
}

function drained(stream: NodeJS.WritableStream, ended: Promise<unknown>): Promise<unknown> {
  return Promise.race([new Promise((resolve) => stream.once("drain", resolve)), ended.catch(() => {})]);
}
