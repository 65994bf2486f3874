import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { callTool } from "./mcp-call.ts";
import { goodSource } from "./sabotage.ts";

/** A version that a surface has acknowledged, and when. */
export interface Acknowledged {
  readonly place: Place;
  /** Its revision; undefined where the surface does not print one. */
  readonly rev: string | undefined;
  /** What was written: no other version has this text first. */
  readonly text: string;
  /** When the request was sent and when its answer arrived. */
  readonly sent: number;
  readonly answered: number;
}

export const places = ["memories", "topics", "bank"] as const;
export type Place = (typeof places)[number];

/** What one write asks for: a text that no other write has. */
export interface WriteRequest {
  readonly place: Place;
  readonly name: string;
  readonly text: string;
}

/** One way to write: undefined where it was refused, or where no answer came. */
export type Surface = (request: WriteRequest) => Promise<{ readonly rev: string | undefined } | undefined>;

/** A project in a git repository, a bank beside it, and the real processes that work on them. */
export interface VersionsWorld {
  readonly project: string;
  readonly bank: string;
  readonly surfaces: { readonly mcp: Surface; readonly http: Surface; readonly cli: Surface };
  /** Kills the two servers as a power cut would, and starts new ones. */
  killServers(): Promise<void>;
  /** Ends the servers in good order, as a person who closes the client does. */
  stopServers(): Promise<void>;
  startServers(): Promise<void>;
  git(...args: string[]): string;
  verify(): Promise<VerifyAnswer>;
  /** By the sources of this checkout, whatever build wrote. */
  open(): Promise<Workspace>;
}

export interface VerifyAnswer {
  readonly exitCode: number;
  readonly findings: readonly { readonly level: string; readonly says: string }[];
}

export async function createVersionsWorld(base: string, source: string): Promise<VersionsWorld> {
  const [home, project, bank] = [join(base, "home"), join(base, "project"), join(base, "bank")];
  for (const folder of [home, project, bank]) mkdirSync(folder, { recursive: true });
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const cache = join(base, "cache");
  const env = {
    ...inherited,
    HOME: home,
    XDG_CACHE_HOME: cache,
    XDG_DATA_HOME: join(base, "data"),
    RIG_SOURCE: source,
  };
  const isGood = source === goodSource;
  const program = fileURLToPath(new URL(isGood ? "../bin/recollect.cjs" : "run-cli.ts", import.meta.url));
  const common = ["--project", project, "--memory-path", bank];
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=rig", "-c", "user.email=rig@localhost", ...args], {
      cwd: project,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(project, "code.txt"), "code\n");
  git("add", "code.txt");
  git("commit", "--quiet", "--message=Begin");

  const running = new Set<ChildProcess>();
  process.once("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  const launch = (args: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", process.env["RIG_TALKS"] ? "inherit" : "ignore"],
    });
    running.add(child);
    child.once("close", () => running.delete(child));
    return child;
  };

  let stdio: StdioServer | undefined;
  let web: { readonly child: ChildProcess; readonly origin: string; readonly token: string } | undefined;

  async function startServers(): Promise<void> {
    stdio = await startStdio(launch(["start-mcp-server", ...common]));
    const child = launch(["serve", "--port", "0", "--requests-per-minute", "10000000", "--json", ...common]);
    const line = await firstLine(child);
    const { origin, token } = JSON.parse(line) as { readonly origin: string; readonly token: string };
    web = { child, origin, token };
  }

  async function endServers(signal: NodeJS.Signals): Promise<void> {
    const children = [stdio?.child, web?.child].filter((child) => child !== undefined);
    [stdio, web] = [undefined, undefined];
    await Promise.all(children.map((child) => end(child, signal)));
  }

  await startServers();
  return {
    project,
    bank,
    git,
    startServers,
    stopServers: () => endServers("SIGTERM"),
    killServers: async () => {
      await endServers("SIGKILL");
      await startServers();
    },
    surfaces: {
      mcp: async (request) => revIn(await stdio?.call(...toolCall(request, project, bank))),
      http: async (request) => {
        if (!web) return undefined;
        const outcome = await callTool(web, ...toolCall(request, project, bank));
        return outcome.kind === "answered" ? revIn(outcome.content) : undefined;
      },
      cli: async (request) => {
        const { exitCode, stdout } = await run(program, [...commandLine(request), ...common, "--json"], project, env);
        return exitCode === 0 ? revIn(JSON.parse(stdout) as Record<string, unknown>) : undefined;
      },
    },
    verify: async () => {
      const { exitCode, stdout } = await run(program, ["verify", "--json", ...common], project, env);
      const answer = JSON.parse(stdout || "{}") as Partial<VerifyAnswer>;
      return { exitCode, findings: answer.findings ?? [{ level: "failed", says: stdout }] };
    },
    open: () =>
      openWorkspace({
        cwd: project,
        project,
        home,
        env,
        flags: { "--memory-path": bank },
        author: "person:rig",
        log,
      }),
  };

  function log(_level: string, says: string): void {
    if (process.env["RIG_TALKS"]) appendFileSync(2, `${says}\n`);
  }
}

function toolCall(
  { place, name, text }: WriteRequest,
  _project: string,
  bank: string,
): [string, Record<string, unknown>] {
  if (place === "memories") return ["write_memory", { memory_name: name, content: text }];
  if (place === "bank")
    return ["create_text_file", { relative_path: join(bank, "project", `${name}.md`), content: text }];
  return ["store_in_memory", { topic: "rig", subtopic: name, ...entryOf(text) }];
}

function commandLine({ place, name, text }: WriteRequest): string[] {
  if (place === "memories") return ["memories", "write", name, "--content", text];
  if (place === "bank") return ["bank", "write", `${name}.md`, "--content", text];
  const { title, problem, solution } = entryOf(text);
  return ["topics", "store", "rig", name, "--title", title, "--problem", problem, "--solution", solution];
}

function entryOf(text: string) {
  return {
    title: text.trim(),
    context: "rig",
    problem: text.trim(),
    solution: `${text.trim()} ${"and so on ".repeat(30)}`,
  };
}

function revIn(
  content: Readonly<Record<string, unknown>> | undefined,
): { readonly rev: string | undefined } | undefined {
  return content && { rev: typeof content["rev"] === "string" ? content["rev"] : undefined };
}

interface StdioServer {
  readonly child: ChildProcess;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>> | undefined>;
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: Readonly<Record<string, unknown>> };
}

async function startStdio(child: ChildProcess): Promise<StdioServer> {
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("The server has no pipes.");
  stdin.on("error", () => {});
  createInterface({ input: stdout }).on("line", (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  child.once("close", () => {
    for (const resolve of waiting.values()) resolve(undefined);
  });
  let last = 0;
  const ask = (method: string, params: Record<string, unknown>) =>
    new Promise<Answer | undefined>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(undefined);
      last += 1;
      waiting.set(last, resolve);
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: last, method, params })}\n`);
    });
  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "rig", version: "1.0.0" },
  });
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    child,
    call: async (name, args) => {
      const answer = await ask("tools/call", { name, arguments: args });
      return answer?.result?.isError ? undefined : answer?.result?.structuredContent;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error("The server has no pipe.");
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).once("line", resolve);
    child.once("close", (code) => reject(new Error(`A server ended with ${code} before it had begun.`)));
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.kill(signal);
  });
}

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ readonly exitCode: number; readonly stdout: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd, env, encoding: "utf8" }, (error, stdout) => {
      const code = error === null ? 0 : (error as { readonly code?: unknown }).code;
      resolve({ exitCode: typeof code === "number" ? code : -1, stdout });
    });
  });
}
