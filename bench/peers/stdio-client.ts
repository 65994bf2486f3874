import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server and how to start it, always with the Node that runs the bench. */
export interface ServerCommand {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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
  const child = spawn(process.execPath, [...command.args], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...command.env },
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
    const message = JSON.parse(line) as Reply & { id?: number };
    if (message.id !== undefined) open.get(message.id)?.resolve(message);
  });
  child.on("exit", () => {
    for (const { reject } of open.values()) reject(new Error("the server ended before it answered"));
  });
  return {
    request: async (method, params = {}) => {
      last += 1;
      const id = last;
      const answer = Promise.withResolvers<Reply>();
      open.set(id, answer);
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
