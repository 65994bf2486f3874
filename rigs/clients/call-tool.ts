import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ToolCall } from "./model-script.ts";

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}

/** The text with which the server itself answers a call, without any client. */
export async function textOfCall(
  program: string,
  { name, input }: ToolCall,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const server = spawn(process.execPath, [program, "start-mcp-server"], {
    ...options,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "rig", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface(server.stdout)) {
      const { id, result } = JSON.parse(line) as Answer;
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/call", params: { name, arguments: input } });
      }
      if (id === 2) return (result?.content ?? []).map(({ text = "" }) => text).join("\n");
    }
  } finally {
    server.kill();
  }
  throw new Error("The server ended without an answer.");
}
