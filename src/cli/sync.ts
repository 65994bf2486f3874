import { Command, Option } from "commander";
import { counted, type MemorySync, type RewrittenChoice, type SyncReport, type SyncState } from "../app.ts";
import { minuteOf } from "./local-time.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { showSyncProgress } from "./sync-progress.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type SyncOptions = WorkspaceOptions & {
  readonly status?: boolean;
  readonly rewritten?: RewrittenChoice;
  readonly acceptEmpty?: boolean;
};

const waitMs = 60_000;

/** `recollect sync`: the topics in a git repository and its remote, kept alike. */
export function syncCommand(io: Io, setExitCode: (code: number) => void): Command {
  return withWorkspaceOptions(new Command("sync"))
    .description("fetch, merge and send the topics that lie in a git repository (memory_type: git_repo)")
    .option("--status", "only show how it stands, without asking the remote")
    .addOption(
      new Option(
        "--rewritten <choice>",
        "where the remote's history was rewritten: keep what it lacks, or drop it",
      ).choices(["keep", "drop"]),
    )
    .option("--accept-empty", "also where all documents are gone from the folder")
    .option("--json", "answer with one JSON object")
    .action((options: SyncOptions) =>
      withWorkspace(
        io,
        options,
        async (workspace) => {
          const sync = await workspace.sync();
          if (options.status) showStatus(io, options, sync, await sync.status());
          else await run(io, options, sync, setExitCode);
        },
        { warnsAfter: options.status !== true },
      ),
    )
    .addHelpText(
      "after",
      `
Nothing is ever sent with force. What both sides changed is kept twice, as documents beside each other; then the exit
code is 4. While the remote cannot be reached, everything waits here.

Examples:
  $ recollect sync
  $ recollect sync --status --json
  $ recollect sync --rewritten keep`,
    );
}

async function run(io: Io, options: SyncOptions, sync: MemorySync, setExitCode: (code: number) => void): Promise<void> {
  const { rewritten, acceptEmpty, json = false } = options;
  const progress = showSyncProgress(io, json);
  const report = await sync
    .run({ waitMs, rewritten, acceptEmpty, onProgress: progress.onProgress })
    .finally(progress.end);
  print(io, json, toLines(report).map(printable).join("\n"), { ...report });
  if (report.conflicts.length > 0) setExitCode(exitCodes.conflict);
}

function toLines({ remote, received, sent, conflicts, rewritten, leftOut }: SyncReport): string[] {
  const lines = [...conflicts.map(conflictLine), ...leftOutLines(leftOut)];
  if (rewritten) lines.push("The remote's history had been rewritten; what is here went on top of it.");
  if (remote === undefined) return [...lines, "There is no remote, so the revisions stay here."];
  const but = leftOut.length === 0 ? "" : ", but for what is left out";
  return [
    ...lines,
    `In step with ${remote}${but}: ${counted(received, "file")} received, ${counted(sent, "file")} sent.`,
  ];
}

function conflictLine(conflict: SyncReport["conflicts"][number]): string {
  const { kind, path } = conflict;
  const isBeside = "beside" in conflict && conflict.beside !== undefined;
  return `${path}: ${words[kind]}${isBeside ? `; the other version is ${conflict.beside}` : ""}`;
}

const mostShown = 20;

function leftOutLines(leftOut: SyncReport["leftOut"]): string[] {
  const lines = leftOut.slice(0, mostShown).map(({ path, why }) => `Left out: ${path}, since ${why}`);
  return leftOut.length > mostShown ? [...lines, `Left out: ${leftOut.length - mostShown} more (see --json)`] : lines;
}

const words: Readonly<Record<SyncReport["conflicts"][number]["kind"], string>> = {
  "both-changed": "both sides changed the same lines",
  "entries-doubled": "both sides changed the same entries, and both versions are in it",
  "deleted-and-changed": "one side deleted what the other changed, and the change is kept",
  "renamed-twice": "both sides renamed it",
  "document-and-folder": "it is a document on one side and a folder on the other",
  "same-name": "two names that some systems take for one",
};

function showStatus(io: Io, { json = false }: SyncOptions, { strategy }: MemorySync, state: SyncState): void {
  const { remote, branch, waiting, lastSuccess, failure, unsettled, leftOut } = state;
  const lines = [
    remote === undefined ? "No remote: the revisions stay here." : `${remote}, branch ${branch}, strategy ${strategy}`,
    `Last synced: ${lastSuccess === undefined ? "never" : minuteOf(lastSuccess)}`,
    ...(remote === undefined ? [] : [`Waiting to be sent: ${waiting}`]),
    ...unsettled.map((conflict) => `To be looked at: ${conflictLine(conflict)}`),
    ...leftOutLines(leftOut),
    ...(failure ? [`Last attempt failed (${minuteOf(failure.time)}): ${failure.message}`] : []),
  ];
  print(io, json, lines.map(printable).join("\n"), { strategy, ...state });
}
