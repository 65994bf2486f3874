import { parse } from "jsonc-parser";
import { inTime } from "../../kernel/in-time.ts";
import type { Client, ClientName } from "../clients.ts";
import type { Judgement } from "../judge-entry.ts";
import { serverLine } from "../server-entry.ts";
import { parseTomlString } from "../toml-statements.ts";
import type { FindRequest, FoundServer } from "./find-entry.ts";
import type { FoundHook } from "./find-hook.ts";
import { findCommand, isWithin, safeSearchPath, toPath } from "./may-start.ts";
import { namesError, type ProgramStart, startProgram } from "./start-program.ts";
import { endWords, lateWords, type ServerTrial, tryServer } from "./try-server.ts";

type HookTrial = { readonly kind: "answers"; readonly ms: number } | { readonly kind: "failed"; readonly says: string };

export interface TrialPlace {
  /** Where an agent would be started. */
  readonly folder: string;
  /** The folder whose programs are not started, since anyone may have written them. */
  readonly clone: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** In milliseconds, for the next program. */
  readonly patience: () => number;
}

type NotStarted = { readonly kind: "not started"; readonly says: string };
export type EntryTrial = ServerTrial | NotStarted;

const foreign: NotStarted = {
  kind: "not started",
  says: "not started here: this file comes with the project, and names something else than init would write",
};
const byNpx: NotStarted = {
  kind: "not started",
  says: "not started here: npx runs what it finds in the project first, and that comes with a clone",
};

/**
 * Starts the server that a client's file names, as the client would. A project's file comes with a clone: where that
 * names our own program, what `init` would write is started, and nothing else. In the user's own file they chose what
 * is run; but what npx or another program runs can depend on the folder, so those are started at home.
 */
export async function tryEntry(
  client: Client,
  { scope, judgement }: FoundServer,
  request: FindRequest,
  place: TrialPlace,
): Promise<EntryTrial> {
  const { entry, launch, problems } = judgement;
  const isUsers = scope === "user";
  if (!isUsers && (launch === undefined || problems.length > 0)) return foreign;
  if (!isUsers && launch?.kind === "npx") return byNpx;
  const own = launch && serverLine({ ...request, launch, client, scope, project: place.folder, flags: {} });
  const [command = "", ...args] = isUsers || !own ? [entry.command, ...(entry.args ?? [])] : own;
  const isHere = launch !== undefined && launch.kind !== "npx";
  return guarded(client.name, request, place, isUsers ? variablesIn(entry) : {}, (env, find) => {
    const found = find(command);
    if (found === undefined) return { kind: "failed", says: `its command ${command} was not found` };
    const filled = args.map((word) => word.replaceAll(`\${workspaceFolder}`, place.folder));
    const start = { command: found, args: filled, env, cwd: isHere ? place.folder : request.home };
    return tryServer(start, place.patience());
  });
}

/** The same for a hook: `isOurs` is the very line that `init` would write. */
export async function tryFoundHook(
  { name }: Client,
  { scope, command, isOurs }: FoundHook,
  request: FindRequest,
  place: TrialPlace,
): Promise<HookTrial | NotStarted> {
  if (scope !== "user" && !isOurs) return foreign;
  const cwd = isOurs && request.launch.kind !== "npx" ? place.folder : request.home;
  return guarded(name, request, place, {}, (env, find) => {
    if (typeof command === "string") {
      return tryHook({ command, args: [], env, cwd, shell: true }, place.folder, place.patience());
    }
    const [program, ...args] = command;
    const start: ProgramStart = { command: find(program) ?? program, args, env, cwd };
    return tryHook(start, place.folder, place.patience());
  });
}

type Find = (command: string) => string | undefined;

/** What is started gets a PATH without folders that a clone can fill. */
async function guarded<Trial>(
  client: ClientName,
  { searchPath, platform, home }: FindRequest,
  { env, clone }: TrialPlace,
  given: Readonly<Record<string, string>>,
  start: (env: NodeJS.ProcessEnv, find: Find) => Trial | Promise<Trial>,
): Promise<Trial | { readonly kind: "failed"; readonly says: string }> {
  const safe = safeSearchPath(searchPath, clone);
  const handed =
    client === "codex" ? Object.entries(env).filter(([name]) => handedDown.test(name)) : Object.entries(env);
  // Windows' own shell would look in the current folder first.
  const shell = platform === "win32" ? { NoDefaultCurrentDirectoryInExePath: "1" } : {};
  const all = { ...Object.fromEntries(handed), HOME: home, USERPROFILE: home, ...given, PATH: toPath(safe), ...shell };
  try {
    return await start(all, (command) => {
      const found = findCommand(command, safe, platform);
      return found !== undefined && isWithin(clone, found) ? undefined : found;
    });
  } catch (error) {
    // A word with a NUL in it, for one, is given to no program.
    if (!(error instanceof TypeError && "code" in error)) throw error;
    return { kind: "failed", says: "it cannot be started: a word or a variable of it holds what none may hold" };
  }
}

/** What Codex hands down; the others hand down all that they have. */
const handedDown =
  /^(?:HOME|LOGNAME|SHELL|USER|LANG|LC_ALL|TERM|TMPDIR|TZ|PATHEXT|USERNAME|USERDOMAIN|USERPROFILE|TEMP|TMP|COMSPEC|SYSTEMROOT|APPDATA|LOCALAPPDATA)$/i;

/** The entry's own variables: an object of JSON, or an inline table of TOML. */
function variablesIn({ others }: Judgement["entry"]): Record<string, string> {
  const source = others.find(([key]) => key === "env" || key === "environment")?.[1] ?? "{}";
  const value: unknown = parse(source);
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    return Object.fromEntries(Object.entries(value).filter(([, each]) => typeof each === "string"));
  }
  const pairs = source.matchAll(/([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')/g);
  return Object.fromEntries([...pairs].map(([, name = "", word = ""]) => [name, parseTomlString(word) ?? ""]));
}

/** Runs a hook as a client does, with an event that no client sends: it is read, and nothing is kept of it. */
async function tryHook(start: ProgramStart, folder: string, patienceMs: number): Promise<HookTrial> {
  const began = performance.now();
  const program = startProgram(start);
  try {
    program.write(JSON.stringify({ session_id: "doctor", hook_event_name: "Doctor", cwd: folder }));
    program.endInput();
    const end = await inTime(program.ended, patienceMs, () => "late" as const);
    if (end === "late") return { kind: "failed", says: lateWords(program, patienceMs) };
    // Whatever is wrong with it, a hook of ours ends well, so that no client takes that for a refusal.
    const complaint = program.complaint();
    const endsWell = end.kind === "ended" && end.code === 0;
    if (endsWell && namesError(complaint)) return { kind: "failed", says: `it says: ${complaint}` };
    if (endsWell) return { kind: "answers", ms: performance.now() - began };
    return { kind: "failed", says: endWords(end, start, program) };
  } finally {
    await program.stop();
  }
}
