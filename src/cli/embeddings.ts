import { homedir } from "node:os";
import { Command } from "commander";
import {
  type ChosenModel,
  counted,
  type LocalModelState,
  openEmbeddings,
  type SearchStatus,
  userDataFolder,
  type Workspace,
} from "../app.ts";
import { fromOf } from "./config.ts";
import { installModel } from "./install-model.ts";
import { type Io, print, printable } from "./output.ts";
import { tildePath } from "./setup-screen.ts";
import { showProgress, tellSearchWarnings } from "./with-search.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type EnableOptions = WorkspaceOptions & { readonly yes?: boolean; readonly later?: boolean };
type DisableOptions = WorkspaceOptions & { readonly remove?: boolean };

const examples = `
Search goes by words and by a small table of meanings that comes with the package. A larger model finds more of what
is said in other words; it takes about 50 MB on the disk, and 600 MB of memory while it is loaded. Everything is
computed on this machine. Other models: search.model in the guide.

Examples:
  $ recollect embeddings enable
  $ recollect embeddings status
  $ recollect embeddings disable --remove`;

/** `recollect embeddings …`: a larger model for search. */
export function embeddingsCommand(io: Io, setExitCode: (code: number) => void): Command {
  const embeddings = new Command("embeddings").description("a larger model for search, computed on this machine");
  const enable = withWorkspaceOptions(embeddings.command("enable"))
    .description("install the model from npm, check it, and have search go by it")
    .option("-y, --yes", "without asking")
    .option("--later", "leave computing this project's notes to a running server or recollect reindex")
    .option("--json", "answer with one JSON object")
    .action((options: EnableOptions) => runEnable(io, options, setExitCode));
  const disable = withWorkspaceOptions(embeddings.command("disable"))
    .description("have search go by its own table again")
    .option("--remove", "take the model's files away, too")
    .option("--json", "answer with one JSON object")
    .action((options: DisableOptions) => runDisable(io, options));
  const status = withWorkspaceOptions(embeddings.command("status"))
    .description("which model search goes by, who chose it, and how far it is")
    .option("--json", "answer with one JSON object")
    .action((options: WorkspaceOptions) => runStatus(io, options));
  for (const command of [embeddings, enable, disable, status]) command.addHelpText("after", examples);
  return embeddings;
}

async function runEnable(io: Io, options: EnableOptions, setExitCode: (code: number) => void): Promise<void> {
  const json = options.json === true;
  const model = await installModel(io, embeddingsOf(io), options, setExitCode);
  if (!model) return;
  await withWorkspace(io, options, async (workspace) => {
    const chosen = workspace.model();
    const computed = chosen.kind === "local" && !options.later ? await compute(io, json, workspace) : undefined;
    tellSearchWarnings(io, json, computed?.warnings ?? []);
    const lines = [
      `Enabled: ${model.name}, ${model.dims} dimensions.`,
      ...(chosen.kind === "local" ? [] : [otherChoice(workspace)]),
      ...(computed ? [computedWords(computed)] : []),
      "Restart your MCP clients for it to take effect.",
    ];
    print(io, json, lines.join("\n"), { enabled: true, installed: model, ...usedBy(workspace), ...computed });
  });
}

async function compute(io: Io, json: boolean, workspace: Workspace): Promise<SearchStatus> {
  const search = workspace.search;
  if (io.terminal && !json) io.err("Computing the meaning of your notes; what is done is kept when you stop.\n");
  const progress = showProgress(io, json);
  try {
    await search.reindex(progress.onProgress);
    return await search.status();
  } finally {
    progress.end();
  }
}

async function runDisable(io: Io, options: DisableOptions): Promise<void> {
  const embeddings = embeddingsOf(io);
  const disabled = embeddings.disable();
  const removed = options.remove === true && embeddings.remove();
  const { isInstalled, bytes } = embeddings.state();
  await withWorkspace(io, options, async (workspace) => {
    const isOther = workspace.settings.values["search.model"] !== "none";
    const lines = [
      disabled ? "Disabled. Restart your MCP clients for it to take effect." : "It was not enabled.",
      ...(removed ? ["Its files are gone."] : []),
      ...(isInstalled ? [`Its files stay, ${megabytes(bytes)}: --remove takes them away.`] : []),
      ...(isOther ? [otherChoice(workspace)] : []),
    ];
    print(io, options.json === true, lines.join("\n"), { disabled, removed, ...usedBy(workspace) });
  });
}

async function runStatus(io: Io, options: WorkspaceOptions): Promise<void> {
  const local = embeddingsOf(io).state();
  await withWorkspace(io, options, async (workspace) => {
    const json = options.json === true;
    const search = workspace.search;
    const progress = showProgress(io, json);
    const status = await search.status(progress.onProgress).finally(progress.end);
    tellSearchWarnings(io, json, status.warnings);
    const home = io.place?.home ?? homedir();
    const lines = [
      `Search goes by  ${goesBy(workspace, status)}`,
      `Chosen by       ${fromOf(workspace.settings.origins["search.model"])}`,
      `Computed here   ${computedWords(status)}`,
      `Local model     ${localWords(local, home)}`,
    ];
    print(io, json, lines.map(printable).join("\n"), { ...usedBy(workspace), ...status, local });
  });
}

function embeddingsOf(io: Io) {
  return openEmbeddings({ folder: userDataFolder(io.place ?? {}) });
}

/** Which model is in use, and by whose choice. */
function usedBy({ model, settings }: Workspace): { model: ChosenModel; chosenBy: unknown } {
  return { model: model(), chosenBy: settings.origins["search.model"] };
}

function otherChoice({ settings: { values, origins } }: Workspace): string {
  if (!values["search.meaning"]) return `search.meaning is false, by ${fromOf(origins["search.meaning"])}.`;
  return printable(`search.model is ${values["search.model"]}, by ${fromOf(origins["search.model"])}.`);
}

function goesBy(workspace: Workspace, { meaning }: SearchStatus): string {
  if (meaning === "") return "words alone: search.meaning is false";
  const chosen = workspace.model();
  if (chosen.kind === "none") return "the table that comes with the package";
  if (chosen.kind === "unusable") return `the table that comes with the package. ${chosen.says} ${chosen.remedy}`;
  return meaning;
}

function computedWords({ documents, units, withMeaning }: SearchStatus): string {
  const of = counted(documents, "document");
  return `${withMeaning} of ${units} parts of ${of} can be found by meaning.`;
}

function localWords({ isInstalled, isEnabled, bytes, folder }: LocalModelState, home: string): string {
  if (!isInstalled) return "not installed: recollect embeddings enable";
  return `${isEnabled ? "enabled" : "installed, not enabled"}, ${megabytes(bytes)} in ${tildePath(folder, home)}`;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
