import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server and how to start it, with the Node that runs the bench where no other is named. */
export interface ServerCommand {
  readonly program?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing of the environment but where programs are: neither the user's folders nor a way into the network. */
  readonly isApart?: boolean;
  readonly cwd?: string;
  /** Ends the server, whatever it does. */
  readonly signal?: AbortSignal;
}

/** The least client that speaks MCP over stdio, so that little of what is measured is the client. */
export interface StdioClient {
  request(method: string, params?: object): Promise<Reply>;
  /** Closes stdin, as a client does at its end, and waits for the server to go. */
  close(): Promise<void>;
}

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly [field: string]: unknown };
  readonly error?: { readonly message: string };
}

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "recollect-bench", version: "1.0.0" },
};

export async function connect(command: ServerCommand): Promise<StdioClient> {
  const child = spawn(command.program ?? process.execPath, [...command.args], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...(command.isApart ? { PATH: process.env["PATH"] } : process.env), ...command.env },
    killSignal: "SIGKILL",
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...(command.signal === undefined ? {} : { signal: command.signal }),
  });
  const client = createClient(child);
  const { error } = await client.request("initialize", initialize);
  if (error) throw new Error(`The server refused to begin: ${error.message}`);
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return client;
}

/** A call of a tool that must succeed. */
export async function callTool(client: StdioClient, name: string, args: object): Promise<unknown> {
  const { result, error } = await client.request("tools/call", { name, arguments: args });
  if (error || result?.isError) throw new Error(`${name}: ${error?.message ?? JSON.stringify(result)}`);
  return result;
}

function createClient(child: ChildProcess): StdioClient {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("a server without pipes");
  const open = new Map<number, PromiseWithResolvers<Reply>>();
  let last = 0;
  createInterface({ input: stdout }).on("line", (line) => {
    const message = toMessage(line);
    if (message?.id !== undefined) open.get(message.id)?.resolve(message);
  });
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of open.values()) reject(ended);
  };
  child.on("exit", () => end(new Error("the server ended before it answered")));
  child.on("error", end);
  // What is written to a server that is gone: its end says it already.
  stdin.on("error", () => {});
  return {
    request: async (method, params = {}) => {
      last += 1;
      const id = last;
      const answer = Promise.withResolvers<Reply>();
      open.set(id, answer);
      if (ended) answer.reject(ended);
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return answer.promise.finally(() => open.delete(id));
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      stdin.end();
      // Not every server ends with its stdin.
      const reluctant = setTimeout(() => child.kill("SIGKILL"), 2000);
      await exit;
      clearTimeout(reluctant);
    },
  };
}

/** Some servers print other things among their answers. */
function toMessage(line: string): (Reply & { readonly id?: number }) | undefined {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
