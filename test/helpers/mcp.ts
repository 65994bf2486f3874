import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bin } from "./checkout.ts";

export interface McpOptions {
  readonly folder: string;
  readonly agentId: string;
  /** A protocol revision of the era without a handshake; by default the client greets with `initialize`. */
  readonly pin?: string;
  readonly args?: readonly string[];
}

/** A real server process and a client that talks to it over stdin and stdout. */
export interface McpConnection {
  readonly client: Client;
  call(tool: string, args: Record<string, unknown>): Promise<CallToolResult>;
  /** What the server wrote to stderr so far. */
  log(): string;
  close(): Promise<void>;
}

/** A server for the memory files of one agent alone. */
export function connectMcp({ folder, agentId, pin, args = [] }: McpOptions): Promise<McpConnection> {
  const own = ["--tools", "agent", "--agent-id", agentId, "--app-cache-dir", folder];
  return connectServer([...own, ...args], pin === undefined ? {} : { pin });
}

export interface ServerOptions {
  readonly pin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Any server: `start-mcp-server` with these flags. */
export async function connectServer(
  args: readonly string[],
  { pin, cwd, env = {} }: ServerOptions = {},
): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "start-mcp-server", ...args],
    env: { ...getDefaultEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stderr: "pipe",
  });
  const logged: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => logged.push(chunk.toString("utf8")));
  const client = new Client(
    { name: "recollect-test", version: "1.0.0" },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  );
  await client.connect(transport);
  return {
    client,
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as CallToolResult,
    log: () => logged.join(""),
    close: () => client.close(),
  };
}

export function textOf(result: CallToolResult): string {
  return result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** What an answer tells programs beside its text. */
export function detailsOf(result: CallToolResult): Record<string, unknown> {
  return (result._meta?.["recollect/details"] ?? {}) as Record<string, unknown>;
}
