import { Command } from "commander";
import { type AgentMemoryService, RecollectError } from "../app.ts";
import { type ExpectationOptions, expectationOf, withIfRev } from "./expectation-options.ts";
import { minuteOf } from "./local-time.ts";
import { operationsOf } from "./operations.ts";
import { type Io, print, printable, printableText, shellWord } from "./output.ts";
import { type TextOptions, textOf, withTextOptions } from "./text-input.ts";
import { parseLimit, type WorkspaceOptions, withWorkspace } from "./workspace-options.ts";

type WriteOptions = WorkspaceOptions & TextOptions & ExpectationOptions;

/** `recollect agent …`: the memory files of one agent, for people and scripts. */
export function agentCommand(io: Io): Command {
  const agent = new Command("agent").description("read and write the memory files of one agent");
  const operation = operationsOf(agent);

  operation("read", "print a file", "recollect agent read notes/build.md --agent-id reviewer")
    .argument("<path>", "file below the agent's folder")
    .action((path: string, options: WorkspaceOptions) =>
      withMemory(io, options, async (memory, agentId) => {
        const { content, rev } = await memory.readMemoryFileWithRev(agentId, path);
        if (options.json) print(io, true, "", { path, content, rev });
        else io.out(printableText(io, content));
      }),
    );

  withText(
    operation(
      "write",
      "create or replace a file with text from --content, --file or standard input",
      'recollect agent write notes/build.md --agent-id reviewer --content "Run the tests first."',
      "git log -5 --oneline | recollect agent write log.md --agent-id reviewer",
    ),
  )
    .argument("<path>", "file below the agent's folder")
    .option("--create-only", "refuse to replace an existing file")
    .action((path: string, options: WriteOptions) =>
      withMemory(io, options, async (memory, agentId) => {
        const expected = expectationOf(options);
        const rev = await memory.writeMemoryFile(agentId, path, await textOf(io, options), expected);
        print(io, options.json === true, `Wrote ${path} (rev ${rev}).`, { path, rev });
      }),
    );

  withText(
    operation(
      "append",
      "add text to the end of a file, or create it",
      "git log -1 | recollect agent append log.md --agent-id reviewer",
    ),
  )
    .argument("<path>", "file below the agent's folder")
    .action((path: string, options: WriteOptions) =>
      withMemory(io, options, async (memory, agentId) => {
        const expected = expectationOf(options);
        const rev = await memory.appendToMemoryFile(agentId, path, await textOf(io, options), expected);
        print(io, options.json === true, `Appended to ${path} (rev ${rev}).`, { path, rev });
      }),
    );

  operation("list", "list the files of an agent", "recollect agent list --agent-id reviewer --json")
    .option("--after <path>", "only what comes after this path")
    .option("--limit <number>", "at most this many", parseLimit)
    .action((options: WorkspaceOptions & { after?: string; limit?: number }) =>
      withMemory(io, options, async (memory, agentId) => {
        const { after, limit } = options;
        const page = { ...(after === undefined ? {} : { after }), ...(limit === undefined ? {} : { limit }) };
        const { files, next } = await memory.listMemoryFiles(agentId, page);
        const lines = files.map((file) => {
          return `${String(file.size).padStart(8)}  ${minuteOf(file.modified)}  ${printable(file.path)}${file.remark ? `  (${file.remark})` : ""}`;
        });
        if (lines.length === 0 && after === undefined)
          lines.push(
            `No files yet. Write one with: recollect agent write notes.md --agent-id ${agentId} --content "…"`,
          );
        if (next !== undefined) lines.push(`More follow: --after ${shellWord(next)}`);
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

function withText(command: Command): Command {
  return withIfRev(withTextOptions(command));
}

/** With the settings of every other command, the guard and what it is told to let pass among them. */
function withMemory(
  io: Io,
  options: WorkspaceOptions,
  use: (memory: AgentMemoryService, agentId: string) => Promise<void>,
): Promise<void> {
  return withWorkspace(io, options, ({ agent }) => {
    if (agent) return use(agent.memory, agent.agentId);
    throw new RecollectError("INVALID_ARGUMENT", "Which agent? Give --agent-id, or set RECOLLECT_AGENT_ID.");
  });
}
