import { type Command, InvalidArgumentError, Option } from "commander";
import {
  openWorkspace,
  RecollectError,
  type SettingFlags,
  type SettingKey,
  settingKeys,
  settingOf,
  type Workspace,
} from "../app.ts";
import { type Io, printable } from "./output.ts";
import { showSyncProgress } from "./sync-progress.ts";

const isOfServer = (key: SettingKey) => key.startsWith("serve.");
const workspaceKeys = settingKeys.filter((key) => !isOfServer(key));
const serveKeys = settingKeys.filter(isOfServer);

/** What every command that works on a project is told: the project, and any setting. */
export type WorkspaceOptions = Readonly<Record<string, unknown>> & {
  readonly project?: string;
  readonly json?: boolean;
};

const settingsGroup = "Settings (also in recollect.yaml, your own settings file, or the environment):";

export function withWorkspaceOptions(command: Command): Command {
  command.option("--project <folder>", "the project (default: the nearest one here or above)");
  return withSettings(command, workspaceKeys);
}

/** Settings of the server are flags of the server alone. */
export function withServeOptions(command: Command): Command {
  return withSettings(withWorkspaceOptions(command), serveKeys);
}

export function withSettings(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) for (const option of optionsOf(key)) command.addOption(option);
  return command;
}

function optionsOf(key: SettingKey): Option[] {
  const { flags, type, description } = settingOf(key);
  return flags.map(({ name, oneElement }) => {
    const value = type.isSwitch ? "[true|false]" : type.isList && !oneElement ? "<a,b>" : "<value>";
    const option = new Option(`${name} ${value}`, oneElement ? `${description} Repeatable.` : description);
    option.helpGroup(settingsGroup);
    return oneElement ? option.argParser((text: string, before?: string[]) => [...(before ?? []), text]) : option;
  });
}

/** The settings that flags gave, under the names of the flags. */
export function flagsOf(options: WorkspaceOptions, keys: readonly SettingKey[] = workspaceKeys): SettingFlags {
  const given = keys
    .flatMap((key) => settingOf(key).flags)
    .flatMap(({ name }) => {
      const value = options[new Option(`${name} [value]`).attributeName()];
      return value === undefined ? [] : [[name, value]];
    });
  return Object.fromEntries(given) as SettingFlags;
}

/** The same with those of the server. */
export function serveFlagsOf(options: WorkspaceOptions): SettingFlags {
  return flagsOf(options, settingKeys);
}

/**
 * Opens the workspace, tells the user what is not as configured, and closes it at the end. With `warnsAfter` the user
 * is not told what the command itself has just repaired.
 */
export async function withWorkspace(
  io: Io,
  options: WorkspaceOptions,
  use: (workspace: Workspace) => Promise<void>,
  { warnsAfter = false, opensVanished = false } = {},
): Promise<void> {
  const { onProgress, end } = showSyncProgress(io, options.json === true);
  const workspace = await openWorkspace({
    flags: flagsOf(options),
    opensVanished,
    ...io.place,
    ...(options.project === undefined ? {} : { project: options.project }),
    ...(onProgress ? { onProgress } : {}),
  }).finally(end);
  const before = workspace.warnings;
  const warn = (warnings: readonly string[]) => tellWarnings(io, options.json === true, warnings);
  try {
    if (!warnsAfter) warn(before);
    await use(workspace).catch((error: unknown) => {
      if (warnsAfter) warn(before);
      throw error;
    });
    if (warnsAfter) warn(workspace.warnings);
  } finally {
    await workspace.close();
    tellWarnings(io, options.json === true, workspace.historyNotices);
  }
}

/** On stderr in both forms: stdout belongs to the answer. */
export function tellWarnings(io: Io, json: boolean, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  if (json) io.err(`${JSON.stringify({ warnings })}\n`);
  else for (const warning of warnings) io.err(`recollect: ${printable(warning)}\n`);
}

/** What a flag that may be repeated was given. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** None at all is no answer. */
export function parseLimit(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError("It takes a whole number from 1.");
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError("It takes a whole number from 0.");
}

/** A check of nothing must not look like one that found nothing. */
export function nothingHere(what: string): RecollectError {
  const says = `There is no project here, so ${what}. Change to your project, or give --project.`;
  return new RecollectError("NOT_FOUND", says);
}
