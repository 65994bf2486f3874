import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentSession } from "./agent-session.ts";
import { registerAppendToMemoryFile } from "./append-to-memory-file.ts";
import { registerListMemoryFiles } from "./list-memory-files.ts";
import { registerReadMemoryFile } from "./read-memory-file.ts";
import { registerWriteMemoryFile } from "./write-memory-file.ts";

export interface McpServerOptions {
  readonly version: string;
  readonly agent: AgentSession;
}

// Compiling a checker for each schema costs more at the start than it saves on the few calls of a session.
z.config({ jitless: true });

export function createMcpServer({ version, agent }: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: "recollect", version },
    {
      capabilities: { tools: {} },
      instructions:
        "Your own memory files, kept between runs. Nobody else reads them. Look here before you begin, and write down what you learn.",
    },
  );
  registerListMemoryFiles(server, agent);
  registerReadMemoryFile(server, agent);
  registerWriteMemoryFile(server, agent);
  registerAppendToMemoryFile(server, agent);
  return server;
}
