import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type CallOutcome, type CallTarget, callTool } from "./mcp-call.ts";

/** What a server answered: its content, a refusal, or nothing, since it was killed. */
export type Outcome =
  | { readonly kind: "answered"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused" | "unknown"; readonly says: string };

/** A server over stdio and one over HTTP, on the same folders. */
export interface VersionsServers {
  start(): Promise<void>;
  /** SIGKILL ends them as a power cut would, SIGTERM as a person who closes the client. */
  end(signal: NodeJS.Signals): Promise<void>;
  callStdio(tool: string, args: Readonly<Record<string, unknown>>): Promise<Outcome>;
  callHttp(tool: string, args: Readonly<Record<string, unknown>>): Promise<Outcome>;
  /** A request to the JSON API. */
  callApi(method: string, path: string, body?: Readonly<Record<string, unknown>>): Promise<Outcome>;
}

export interface ServersOptions {
  readonly program: string;
  /** The folders, as flags. */
  readonly common: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const unanswered: Outcome = { kind: "unknown", says: "no answer" };

export function createVersionsServers({ program, common, cwd, env }: ServersOptions): VersionsServers {
  const running = new Set<ChildProcess>();
  let stdio: StdioServer | undefined;
  let web: (CallTarget & { readonly child: ChildProcess }) | undefined;
  process.once("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });

  function launch(args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [program, ...args, ...common], {
      cwd,
      env,
      stdio: ["pipe", "pipe", process.env["RIG_TALKS"] ? "inherit" : "ignore"],
    });
    running.add(child);
    child.once("close", () => running.delete(child));
    return child;
  }

  return {
    start: async () => {
      const serving = launch(["serve", "--port", "0", "--requests-per-minute", "10000000", "--json"]);
      const [started, line] = await Promise.all([startStdio(launch(["start-mcp-server"])), firstLine(serving)]);
      stdio = started;
      const { origin, token } = JSON.parse(line) as { readonly origin: string; readonly token: string };
      web = { child: serving, origin, token };
    },
    end: async (signal) => {
      const children = [stdio?.child, web?.child].filter((child) => child !== undefined);
      [stdio, web] = [undefined, undefined];
      await Promise.all(children.map((child) => end(child, signal)));
    },
    callStdio: async (tool, args) => (await stdio?.call(tool, args)) ?? unanswered,
    callHttp: async (tool, args) => (web ? toOutcome(await callTool(web, tool, args)) : unanswered),
    callApi: async (method, path, body) => (web ? await callApi(web, method, path, body) : unanswered),
  };
}

function toOutcome(outcome: CallOutcome): Outcome {
  return outcome.kind === "answered" ? { kind: "answered", content: outcome.content } : outcome;
}

async function callApi(
  { origin, token }: CallTarget,
  method: string,
  path: string,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Outcome> {
  try {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200) return { kind: "refused", says: `${response.status} ${text.slice(0, 200)}` };
    return { kind: "answered", content: JSON.parse(text) as Record<string, unknown> };
  } catch (error) {
    return { kind: "unknown", says: String(error) };
  }
}

interface StdioServer {
  readonly child: ChildProcess;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Outcome>;
}

interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
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
      if (!answer?.result) return unanswered;
      const { isError, content, structuredContent, _meta } = answer.result;
      const text = content?.map((part) => part.text ?? "").join("\n") ?? "";
      if (isError) return { kind: "refused", says: text };
      // Earlier builds gave their details as structured content.
      return { kind: "answered", content: { content: text, ...(_meta?.["recollect/details"] ?? structuredContent) } };
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
