import { lstatSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { distrustProject, type Untrusted } from "./distrust-project.ts";
import { isLocalModelEnabled } from "./local-model-place.ts";
import { projectSettingsFile } from "./nearest-project.ts";
import { adoptedFolders } from "./project-choices.ts";
import { readSettingsFile, type SettingsFile } from "./read-settings-file.ts";
import { isInside, whyOutside } from "./real-path.ts";
import { type DefaultContext, projectMark } from "./setting.ts";
import { misspeltVariables, type SettingFlags, settingsFromEnvironment, settingsFromFlags } from "./setting-texts.ts";
import { type PathBase, placesType } from "./setting-types.ts";
import { type SettingKey, type SettingValues, settingKeys, settingOf } from "./settings.ts";
import type { Trust } from "./trust.ts";
import { type UserPlace, userDataFolder, userSettingsFile } from "./user-folders.ts";

/** Where settings come from, in rising order: a later one replaces the value of an earlier one as a whole. */
export const settingSources = ["default", "project", "user", "environment", "flag"] as const;
export type SettingSource = (typeof settingSources)[number];

/** Where a value came from. */
export interface SettingOrigin {
  readonly source: SettingSource;
  /** The file, the variable or the flag; of a default the command by which the user chose it. */
  readonly name?: string;
  readonly line?: number;
}

export interface ResolveOptions {
  /** The project's folder; without one its file is not read, and relative paths are against `cwd`. */
  readonly project?: string | undefined;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags?: SettingFlags;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  readonly trust: Pick<Trust, "isTrusted">;
}

export interface SettingWarning {
  readonly key?: SettingKey;
  readonly message: string;
}

export interface ResolvedSettings {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingKey, SettingOrigin>>;
  /** What the project's file asks for in vain. */
  readonly untrusted: readonly Untrusted[];
  readonly warnings: readonly SettingWarning[];
  /** The files that were read, with the bytes that took effect: those are what `recollect trust` trusts. */
  readonly projectFile: SettingsFile | undefined;
  readonly userFile: SettingsFile | undefined;
}

interface Given {
  readonly raw: unknown;
  readonly origin: SettingOrigin;
}

/** Puts all sources together: which value each setting has, and who said so (CFG-1, CFG-2). */
export async function resolveSettings(options: ResolveOptions): Promise<ResolvedSettings> {
  const { env, home, trust, platform = process.platform } = options;
  const project = options.project === undefined ? undefined : resolve(options.cwd, options.project);
  const base: PathBase = { home, folder: project ?? resolve(options.cwd) };
  const given = new Map<SettingKey, Given>();
  const context: DefaultContext = {
    project,
    dataFolder: userDataFolder({ env, home, platform }),
    isSet: (key) => given.has(key as SettingKey),
    given: (key) => given.get(key as SettingKey)?.raw,
    isLocalModelEnabled: () => isLocalModelEnabled(userDataFolder({ env, home, platform })),
  };

  const projectFile = project === undefined ? undefined : await readProjectFile(project);
  const userFile = await readUserFile({ env, home, platform });
  const allowed =
    projectFile &&
    distrustProject({
      file: projectFile,
      base,
      context,
      isTrusted: () => trust.isTrusted(projectFile.file, projectFile.content),
    });
  for (const [key, { raw, line }] of allowed?.settings ?? []) {
    given.set(key, { raw, origin: { source: "project", name: projectFile?.file ?? "", line } });
  }
  for (const [key, { raw, line }] of userFile?.settings ?? []) {
    given.set(key, { raw, origin: { source: "user", name: userFile?.file ?? "", line } });
  }
  for (const [key, { raw, name }] of settingsFromEnvironment(env)) {
    given.set(key, { raw, origin: { source: "environment", name } });
  }
  for (const [key, { raw, name }] of settingsFromFlags(options.flags ?? {})) {
    given.set(key, { raw, origin: { source: "flag", name } });
  }

  const givenOr = (key: SettingKey) => given.get(key) ?? byDefault(key, context);
  const { raw: name } = givenOr("project_name");
  const resolved = settingKeys.map((key) => {
    const { raw, origin } = givenOr(key);
    const { type, namesProject = false } = settingOf(key);
    const filled = namesProject && typeof name === "string" ? withProjectName(raw, name) : raw;
    return { key, origin, value: filled === undefined ? undefined : type.toValue(filled, base) };
  });
  // Built key by key from the registry, of which SettingValues is the type.
  const configured = Object.fromEntries(resolved.map(({ key, value }) => [key, value])) as unknown as SettingValues;
  const values = withAdopted(configured, project, base, { env, home, platform });
  const origins = Object.fromEntries(resolved.map(({ key, origin }) => [key, origin])) as ResolvedSettings["origins"];
  const warnings = [
    ...misspeltVariables(env).map((message) => ({ message })),
    ...(project === undefined
      ? []
      : [...otherSpelling(project, projectFile), ...linkedDefaults(project, values, origins)]),
  ];
  return { values, origins, untrusted: allowed?.untrusted ?? [], warnings, projectFile, userFile };
}

/** What clients remember of the project comes after all folders that somebody configured. */
function withAdopted(
  configured: SettingValues,
  project: string | undefined,
  base: PathBase,
  user: UserPlace,
): SettingValues {
  const folders = project === undefined ? [] : adoptedFolders(project, user);
  if (folders.length === 0) return configured;
  const key = "memories.additional_folders";
  const adopted = placesType().toValue(
    folders.map((folder) => `${tildePath(folder, user.home)}:ro`),
    base,
  );
  return { ...configured, [key]: [...configured[key], ...adopted] };
}

function tildePath(folder: string, home: string): string {
  return isInside(home, folder) ? join("~", relative(home, folder)) : folder;
}

function withProjectName(raw: unknown, name: string): unknown {
  return typeof raw === "string" ? raw.replaceAll(projectMark, () => name) : raw;
}

function readProjectFile(project: string): Promise<SettingsFile | undefined> {
  return readSettingsFile({ file: join(project, projectSettingsFile), name: projectSettingsFile, links: "refuse" });
}

function readUserFile(place: { env: NodeJS.ProcessEnv; home: string; platform: NodeJS.Platform }) {
  const file = userSettingsFile(place);
  const name = tildePath(file, place.home);
  return readSettingsFile({ file, name, links: "follow" });
}

function byDefault(key: SettingKey, context: DefaultContext): Given {
  const { default: value, chosenBy } = settingOf(key);
  const command = chosenBy?.(context);
  const origin: SettingOrigin = { source: "default", ...(command === undefined ? {} : { name: command }) };
  return { raw: typeof value === "function" ? value(context) : value, origin };
}

function otherSpelling(project: string, file: SettingsFile | undefined): SettingWarning[] {
  if (file || !lstatSync(join(project, "recollect.yml"), { throwIfNoEntry: false })) return [];
  return [{ message: `recollect.yml is not read; name it ${projectSettingsFile}.` }];
}

/**
 * A clone can bring `.serena` as a link to anywhere, without any settings file. No key asks for it, so
 * there is nothing to trust; whoever opens the folder decides what to do about the warning.
 */
function linkedDefaults(
  project: string,
  values: SettingValues,
  origins: ResolvedSettings["origins"],
): SettingWarning[] {
  if (origins["memories.folder"].source !== "default") return [];
  const { given, folder } = values["memories.folder"];
  const why = folder === undefined ? undefined : whyOutside(project, folder);
  return why === undefined
    ? []
    : [{ key: "memories.folder", message: `The folder ${given} is the default, but ${why}.` }];
}
