import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import {
  AgentMemoryService,
  createStderrLog,
  defaultDataFolder,
  type Expectation,
  isRev,
  type LogLevel,
  logLevels,
  RecollectError,
} from "../index.ts";
import { type Io, print, printable, printableText } from "./output.ts";

interface AgentOptions {
  readonly agentId?: string;
  readonly appCacheDir?: string;
  readonly json?: boolean;
  readonly logLevel?: LogLevel;
}

interface WriteOptions extends AgentOptions {
  readonly content?: string;
  readonly file?: string;
  readonly ifRev?: string;
  readonly createOnly?: boolean;
}

/** `recollect agent …`: the memory files of one agent, for people and scripts. */
export function agentCommand(io: Io): Command {
  const agent = new Command("agent").description("read and write the memory files of one agent");

  withAgent(agent.command("read").argument("<path>", "file below the agent's folder"))
    .description("print a file")
    .action((path: string, options: AgentOptions) =>
      withMemory(options, async (memory, agentId) => {
        const { content, rev } = await memory.readMemoryFileWithRev(agentId, path);
        if (options.json) print(io, true, "", { path, content, rev });
        else io.out(printableText(io, content));
      }),
    );

  withText(withAgent(agent.command("write").argument("<path>", "file below the agent's folder")))
    .description("create or replace a file with text from --content, --file or standard input")
    .option("--create-only", "refuse to replace an existing file")
    .action((path: string, options: WriteOptions) =>
      withMemory(options, async (memory, agentId) => {
        const content = await textOf(options, io);
        const rev = await memory.writeMemoryFile(agentId, path, content, expectationOf(options));
        print(io, options.json === true, `Wrote ${path} (rev ${rev}).`, { path, rev });
      }),
    );

  withText(withAgent(agent.command("append").argument("<path>", "file below the agent's folder")))
    .description("add text to the end of a file, or create it")
    .action((path: string, options: WriteOptions) =>
      withMemory(options, async (memory, agentId) => {
        const content = await textOf(options, io);
        const rev = await memory.appendToMemoryFile(agentId, path, content, expectationOf(options));
        print(io, options.json === true, `Appended to ${path} (rev ${rev}).`, { path, rev });
      }),
    );

  withAgent(agent.command("list"))
    .description("list the files of an agent")
    .option("--after <path>", "only what comes after this path")
    .option("--limit <number>", "at most this many", parseLimit)
    .action((options: AgentOptions & { after?: string; limit?: number }) =>
      withMemory(options, async (memory, agentId) => {
        const { after, limit } = options;
        const page = { ...(after === undefined ? {} : { after }), ...(limit === undefined ? {} : { limit }) };
        const { files, next } = await memory.listMemoryFiles(agentId, page);
        const lines = files.map((file) => {
          const time = new Date(file.modified).toISOString().slice(0, 16).replace("T", " ");
          return `${String(file.size).padStart(8)}  ${time}  ${printable(file.path)}${file.remark ? `  (${file.remark})` : ""}`;
        });
        if (lines.length === 0 && after === undefined)
          lines.push("No files yet. Write one with: recollect agent write notes.md");
        if (next !== undefined) lines.push(`More follow: --after ${printable(JSON.stringify(next))}`);
        print(io, options.json === true, lines.join("\n"), { files, next });
      }),
    );

  return agent.addHelpText(
    "after",
    `
Examples:
  $ recollect agent write notes/build.md --agent-id reviewer --content "Run the tests first."
  $ git log -1 | recollect agent append log.md --agent-id reviewer
  $ recollect agent list --agent-id reviewer --json`,
  );
}

/** Also for `start-mcp-server`, which serves one agent. */
export function withAgent(command: Command): Command {
  return command
    .addOption(new Option("--agent-id <id>", "the agent").env("RECOLLECT_AGENT_ID"))
    .addOption(
      new Option("--app-cache-dir <folder>", "the folder that holds agent_memory").env("RECOLLECT_APP_CACHE_DIR"),
    )
    .addOption(new Option("--log-level <level>", "log to stderr from this level on").choices([...logLevels]))
    .option("--json", "answer with one JSON object");
}

function withText(command: Command): Command {
  return command
    .option("--content <text>", "the text")
    .option("--file <file>", "take the text from a file")
    .option("--if-rev <rev>", "only if this is still the file's revision");
}

export function openMemory(options: AgentOptions, level: LogLevel | undefined): AgentMemoryService {
  const log = level === undefined ? () => {} : createStderrLog({ level });
  return new AgentMemoryService(options.appCacheDir ?? defaultDataFolder(), { log });
}

async function withMemory(
  options: AgentOptions,
  use: (memory: AgentMemoryService, agentId: string) => Promise<void>,
): Promise<void> {
  const agentId = options.agentId;
  if (agentId === undefined) {
    throw new RecollectError("INVALID_ARGUMENT", "Which agent? Give --agent-id, or set RECOLLECT_AGENT_ID.");
  }
  const memory = openMemory(options, options.logLevel);
  try {
    await use(memory, agentId);
  } finally {
    await memory.close();
  }
}

async function textOf({ content, file }: WriteOptions, io: Io): Promise<string> {
  if (content !== undefined && file !== undefined) {
    throw new RecollectError("INVALID_ARGUMENT", "Give the text once: --content or --file, not both.");
  }
  if (content !== undefined) return content;
  const bytes = file === undefined ? await io.readInput() : readTextFile(file);
  if (!bytes) throw new RecollectError("INVALID_ARGUMENT", "No text. Pipe it in, or give --content or --file.");
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new RecollectError("INVALID_CONTENT", "The text is not UTF-8. Convert it first.");
}

function readTextFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new RecollectError("INVALID_ARGUMENT", "The file given with --file cannot be read.", { cause: error });
  }
}

function expectationOf({ ifRev, createOnly }: WriteOptions): Expectation {
  if (ifRev !== undefined && !isRev(ifRev)) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "--if-rev takes a revision as printed by read --json, write or append.",
    );
  }
  return { ...(ifRev === undefined ? {} : { ifRev }), ...(createOnly ? { mustNotExist: true } : {}) };
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new RecollectError("INVALID_ARGUMENT", "--limit takes a whole number from 1.");
}
