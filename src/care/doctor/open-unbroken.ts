import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { openFilesStore } from "../../backends/files/store.ts";
import { createDocuments } from "../../kernel/documents.ts";
import { isRecollectError, type RecollectError } from "../../kernel/errors.ts";
import { noLog } from "../../kernel/log.ts";
import { createMemories } from "../../notes/memories/memories.ts";
import { createRegexRunner } from "../../notes/memories/regex-threads.ts";
import { planRoots } from "../../roots/mount-roots.ts";
import { findProject } from "../../settings/find-project.ts";
import { projectSettingsFile } from "../../settings/nearest-project.ts";
import { readSettingsFile } from "../../settings/read-settings-file.ts";
import { resolveSettings } from "../../settings/resolve-settings.ts";
import { settingsFromEnvironment, settingsFromFlags } from "../../settings/setting-texts.ts";
import { openTrust } from "../../settings/trust.ts";
import { userDataFolder, userSettingsFile } from "../../settings/user-folders.ts";
import type { Workspace, WorkspaceOptions } from "../../workspace/workspace.ts";

/** What `diagnose` looks at. */
export type Diagnosed = Pick<
  Workspace,
  "project" | "settings" | "memories" | "memoryFolders" | "bankAreas" | "dataFolder" | "warnings" | "recover" | "close"
> &
  Partial<
    Pick<
      Workspace,
      | "allowList"
      | "commitToProject"
      | "conflicts"
      | "documents"
      | "fallbackEntries"
      | "history"
      | "roots"
      | "roots"
      | "sync"
      | "tokens"
      | "topics"
      | "tryModel"
      | "verify"
    >
  >;

/** A workspace that could not be opened, and with what it was tried. */
export interface Unopened {
  readonly failed: RecollectError;
  readonly options: WorkspaceOptions;
}

interface Broken {
  readonly source: "project" | "user" | "environment";
  readonly says: string;
}

/**
 * Opens what is left of a workspace without the sources of settings that cannot be read, so that one broken file does
 * not hide everything else; nothing where even that cannot be opened. A wrong flag is its giver's to mend, and throws.
 */
export async function openUnbroken({
  failed,
  options,
}: Unopened): Promise<{ readonly project: Workspace["project"]; readonly rest?: Diagnosed }> {
  const { cwd = process.cwd(), env = process.env, home = homedir(), flags = {}, project: given } = options;
  settingsFromFlags(flags);
  const project = findProject({ cwd, home, ...(given === undefined ? {} : { given }) });
  const broken = await brokenSources(project?.folder, env, home);
  const dataFolder = userDataFolder({ env, home });
  const isBroken = (source: Broken["source"]) => broken.some((one) => one.source === source);
  try {
    const settings = await resolveSettings({
      // Without a project its file is not read; folders are still those of the project.
      project: isBroken("project") ? undefined : project?.folder,
      cwd: project?.folder ?? cwd,
      ...placeWithout({ env: isBroken("environment") ? withoutSettings(env) : env, home }, isBroken("user")),
      home,
      flags,
      trust: openTrust({ folder: dataFolder }),
    });
    const place = { project: project?.folder, files: project?.folder, topics: undefined, dataFolder };
    const plan = planRoots(settings, place);
    // What lies in a database that could not be opened, is said of the database.
    const inFolders = new Set(plan.folders.map(({ name }) => name));
    const mounted = plan.mounted.filter(({ name }) => inFolders.has(name));
    const memoryFolders = plan.memoryFolders.filter(({ root }) => inFolders.has(root));
    const store = openFilesStore({ roots: plan.folders, now: Date.now });
    const documents = createDocuments({ roots: mounted.map((root) => ({ ...root, store })) });
    const regex = createRegexRunner();
    const stamp = { author: "doctor" };
    const rest = {
      project,
      settings,
      memories: createMemories({ documents, folders: memoryFolders, regex, stamp, log: noLog }),
      memoryFolders,
      bankAreas: plan.areas,
      dataFolder,
      warnings: [
        ...(broken.length === 0
          ? [failed.message]
          : broken.map(({ says }) => `${says} The rest was checked without it.`)),
        ...plan.warnings,
      ],
      recover: () => store.recover(),
      close: async () => void (await Promise.all([regex.close(), store.close()])),
    };
    return { project, rest };
  } catch (error) {
    if (isRecollectError(error)) return { project };
    throw error;
  }
}

async function brokenSources(project: string | undefined, env: NodeJS.ProcessEnv, home: string): Promise<Broken[]> {
  const user = userSettingsFile({ env, home });
  const tries: [Broken["source"], () => unknown][] = [
    ["user", () => readSettingsFile({ file: user, name: user, links: "follow" })],
    ["environment", () => settingsFromEnvironment(env)],
  ];
  if (project !== undefined) {
    const file = join(project, projectSettingsFile);
    tries.unshift(["project", () => readSettingsFile({ file, name: projectSettingsFile, links: "refuse" })]);
  }
  const broken: Broken[] = [];
  for (const [source, attempt] of tries) {
    try {
      await attempt();
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      broken.push({ source, says: error.message });
    }
  }
  return broken;
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("RECOLLECT_")));
}

/** Where the user's file would be looked for is led to nowhere; the user's data stays where it is. */
function placeWithout(
  { env, home }: { readonly env: NodeJS.ProcessEnv; readonly home: string },
  isBroken: boolean,
): { env: NodeJS.ProcessEnv; platform?: NodeJS.Platform } {
  if (!isBroken) return { env };
  const nowhere = join(userSettingsFile({ env, home }), "nowhere");
  if (process.platform === "win32") return { env: { ...env, APPDATA: nowhere } };
  const data = dirname(userDataFolder({ env, home }));
  return { env: { ...env, XDG_CONFIG_HOME: nowhere, XDG_DATA_HOME: data }, platform: "linux" };
}
