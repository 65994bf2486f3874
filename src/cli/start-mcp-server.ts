import { Command } from "commander";
import { createStderrLog, parseAgentId } from "../index.ts";
import { type AgentOptions, agentIdOf, openMemory, withAgentOptions } from "./agent-options.ts";
import type { Io } from "./output.ts";

const recoverAfterMs = 1000;

/** `recollect start-mcp-server`: MCP over stdin and stdout, for as long as the client keeps stdin open. */
export function startMcpServerCommand(io: Io, version: string): Command {
  return withAgentOptions(new Command("start-mcp-server"))
    .description("serve the memory of one agent over MCP on stdin and stdout")
    .action(async (options: AgentOptions) => {
      const agentId = agentIdOf(options);
      parseAgentId(agentId);
      const level = options.logLevel ?? "info";
      const memory = openMemory(options, level);
      const { serveOverStdio } = await import("../mcp/stdio.ts");
      const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
      serveOverStdio({ version, agent: { agentId, memory }, log: createStderrLog({ level }) });
      if (process.stdin.isTTY) {
        io.err(`Recollect serves agent “${agentId}” over MCP. It speaks JSON-RPC on stdin; end with Ctrl-D.\n`);
      }
      // After the client's first questions: what a killed process left behind can wait, the client should not.
      setTimeout(() => void memory.recover(agentId).catch(() => {}), recoverAfterMs).unref();
      await ended;
    })
    .addHelpText(
      "after",
      `
Client configuration:
  { "mcpServers": { "recollect": { "command": "npx", "args": ["recollect", "start-mcp-server", "--agent-id", "reviewer"] } } }`,
    );
}
