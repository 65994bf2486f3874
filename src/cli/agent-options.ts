import { type Command, Option } from "commander";
import {
  AgentMemoryService,
  createStderrLog,
  defaultDataFolder,
  type LogLevel,
  logLevels,
  RecollectError,
} from "../index.ts";

/** What every command that works for one agent is told. */
export interface AgentOptions {
  readonly agentId?: string;
  readonly appCacheDir?: string;
  readonly logLevel?: LogLevel;
}

export function withAgentOptions(command: Command): Command {
  return command
    .addOption(new Option("--agent-id <id>", "the agent").env("RECOLLECT_AGENT_ID"))
    .addOption(
      new Option("--app-cache-dir <folder>", "the folder that holds agent_memory").env("RECOLLECT_APP_CACHE_DIR"),
    )
    .addOption(new Option("--log-level <level>", "log to stderr from this level on").choices([...logLevels]));
}

export function agentIdOf({ agentId }: AgentOptions): string {
  if (agentId !== undefined) return agentId;
  throw new RecollectError("INVALID_ARGUMENT", "Which agent? Give --agent-id, or set RECOLLECT_AGENT_ID.");
}

export function openMemory(options: AgentOptions, level: LogLevel | undefined): AgentMemoryService {
  const log = level === undefined ? () => {} : createStderrLog({ level });
  return new AgentMemoryService(options.appCacheDir ?? defaultDataFolder(), { log });
}
