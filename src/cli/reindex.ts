import { Command } from "commander";
import { counted, isRecollectError, type Reindexed, type Workspace } from "../app.ts";
import { type Io, print } from "./output.ts";
import { showProgress, tellSearchWarnings, withSearch } from "./with-search.ts";
import { type WorkspaceOptions, withWorkspaceOptions } from "./workspace-options.ts";

/** `recollect reindex`: everything that is derived, made anew. */
export function reindexCommand(io: Io, open = withSearch): Command {
  return withWorkspaceOptions(new Command("reindex"))
    .description("rebuild the search index, and the index.md of topics")
    .option("--json", "answer with one JSON object")
    .action((options: WorkspaceOptions) =>
      open(io, options, async (search, workspace) => {
        const json = options.json === true;
        // First, since it is searched as well.
        const topics = await reindexTopics(workspace);
        const progress = showProgress(io, json);
        const { documents, units, warnings } = await search.reindex(progress.onProgress).finally(progress.end);
        const lines = [`${counted(documents, "document")}, ${counted(units, "part")} indexed.`];
        if (topics) lines.push(toLine(topics));
        tellSearchWarnings(io, json, warnings);
        print(io, json, lines.join("\n"), {
          documents,
          units,
          ...(topics ? { topics } : {}),
          ...(warnings.length > 0 ? { warnings } : {}),
        });
      }),
    )
    .addHelpText(
      "after",
      `
Search follows every change by itself. This is for an index that you do not trust, after a crash of the disk, say.

Examples:
  $ recollect reindex
  $ recollect reindex --json`,
    );
}

/** Undefined where there are none: an index of nothing is not made. */
async function reindexTopics({ topics }: Pick<Workspace, "topics">): Promise<Reindexed | undefined> {
  try {
    return (await topics.list()).length === 0 ? undefined : await topics.reindex();
  } catch (error) {
    if (isRecollectError(error) && (error.code === "NOT_FOUND" || error.code === "NOT_ALLOWED")) return undefined;
    throw error;
  }
}

function toLine({ topics, changed }: Reindexed): string {
  return `${counted(topics, "subtopic")}; index.md ${changed ? "rebuilt" : "was right already"}.`;
}
