import { homedir, tmpdir } from "node:os";
import { openSessionRecords, repositoryOf } from "../app.ts";
import { inTime } from "../kernel/in-time.ts";
import { answerHook } from "./answer-hook.ts";
import type { HookCall } from "./dialect.ts";
import { fieldsOf } from "./fields.ts";
import type { HookHost } from "./hook-host.ts";
import { dialects, readCall } from "./read-call.ts";
import { openSessionLog } from "./session-log.ts";
import { openSessionsFolder } from "./sessions-folder.ts";
import { readSwitches } from "./switches.ts";

/** A client waits for this; some of them stop at ten seconds, and none shows why. */
const patienceMs = 3500;

/**
 * `recollect hook CLIENT`: one event of a client on stdin, its answer on stdout. Ends with 0 and within four seconds
 * whatever happens: a prompt never waits for a broken memory, and to some clients any other code means “refuse this”.
 */
export async function runHook(client: string | undefined): Promise<void> {
  const failed = Promise.withResolvers<never>();
  // What fails beside the answer, such as a stream, would end the process as a failure.
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, failed.reject);
  failed.promise.catch(() => {});
  process.stdout.on("error", () => process.exit(0));
  const user = { env: process.env, home: homeOf(process.env), platform: process.platform };
  const tell = (message: string) => process.stderr.write(message);
  const { text } = await answerInTime(process.stdin, client, { user, tell, failed: failed.promise });
  if (text !== "") await new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
  process.exit(0);
}

/** A user without a home folder is no reason to fail: what lies there is then missing. */
function homeOf(env: NodeJS.ProcessEnv): string {
  try {
    return homedir();
  } catch {
    return env["HOME"] || tmpdir();
  }
}

interface Surroundings {
  readonly user: HookHost["user"];
  /** For a person who looks for the reason why nothing comes. */
  readonly tell: (message: string) => void;
  /** Rejected by what fails beside the answer. */
  readonly failed?: Promise<never>;
}

interface Answered {
  /** Empty for nothing at all. */
  readonly text: string;
  /** Something may still be going on. */
  readonly isLate: boolean;
}

/** What is printed. What went wrong stands nowhere in it: a client would show that to the model. */
export async function answerInTime(
  input: AsyncIterable<Buffer>,
  client: string | undefined,
  { user, tell, failed = new Promise(() => {}) }: Surroundings,
): Promise<Answered> {
  let isLate = true;
  const answer = async () => {
    const event = await readEvent(input);
    const text = event && (await answerText(event, client, user));
    isLate = false;
    return text;
  };
  try {
    const text = await inTime(Promise.race([answer(), failed]), patienceMs, () => undefined);
    if (isLate) tell("recollect hook: no answer in time.\n");
    return { text: text ?? nothingFor(client, user), isLate };
  } catch (error) {
    tell(`recollect hook: ${error instanceof Error ? error.message : String(error)}\n`);
    return { text: nothingFor(client, user), isLate: false };
  }
}

/** Some clients take an empty output for a failure. */
function nothingFor(client: string | undefined, { env }: HookHost["user"]): string {
  return client === "gemini-cli" || client === "cursor" || env["CURSOR_VERSION"] !== undefined ? "{}" : "";
}

/** What is printed for an event; undefined for nothing. Throws whatever goes wrong. */
export async function answerText(
  input: Uint8Array,
  client: string | undefined,
  user: HookHost["user"],
): Promise<string | undefined> {
  const call = readCall(fieldsOf(JSON.parse(Buffer.from(input).toString("utf8"))), client, user.env);
  if (call === undefined) return undefined;
  const answer = await answerHook(call, await openHost(call, user));
  const printed = dialects[call.client].write(call.eventName, answer);
  return printed && JSON.stringify(printed);
}

async function openHost(call: HookCall, user: HookHost["user"], now = Date.now): Promise<HookHost> {
  const { cwd, session } = call.event;
  const folder = openSessionsFolder(user);
  // A client's ids need not differ between projects. A command may have changed the working directory since the start.
  const project = user.env["CLAUDE_PROJECT_DIR"] || cwd;
  return {
    user,
    now,
    folder,
    switches: await readSwitches(cwd, user),
    log: openSessionLog(folder, JSON.stringify([repositoryOf(project, user.home) ?? project, session])),
    sessions: openSessionRecords(project, user, now),
    withMemory: async (use) => {
      const { withHookMemory } = await import("./hook-memory.ts");
      return withHookMemory(cwd, user, use);
    },
  };
}

/** The output of a tool may be in it; an event that is longer than this gets no answer. */
const mostBytes = 8 * 1024 * 1024;

/**
 * One event from standard input. A larger one is read to its end all the same and counts as none: a client that writes
 * into a closed pipe would take that for a failure of the hook.
 */
async function readEvent(input: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of input) {
    bytes += part.length;
    if (bytes <= mostBytes) parts.push(part);
    else parts.length = 0;
  }
  return bytes <= mostBytes ? Buffer.concat(parts) : undefined;
}
