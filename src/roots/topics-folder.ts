import { hash } from "node:crypto";
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { makeFolders } from "../backends/files/make-folders.ts";
import { checkExternalPath, externalPathError } from "../guard/external-path.ts";
import { RecollectError } from "../kernel/errors.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { isInside, realOrNone, realPathOf } from "../settings/real-path.ts";
import { projectMark } from "../settings/setting.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import type { SettingValues } from "../settings/settings.ts";
import { cloneName, isBareRepository, makeRepository } from "../sync/make-repository.ts";
import { parseGitPlace } from "../sync/remote-address.ts";

/** Where topics lie, and what the user must be told until it is mended. */
export interface TopicsFolder {
  /** As configured: the name under which it is shown. */
  readonly given: string;
  /** Undefined where they lie in a space. */
  readonly folder?: string | undefined;
  readonly space?: string | undefined;
  readonly backend?: ConfiguredPlace["backend"];
  readonly isExternal: boolean;
  readonly warning?: string;
  /** Where it is a repository: whether it is a clone that is kept for the user (TOP-9). */
  readonly git?: { readonly isClone: boolean };
}

interface TopicsPlace {
  readonly project: string | undefined;
  readonly cwd: string;
  readonly home: string;
  /** Where clones of remotes are kept. */
  readonly dataFolder: string;
}

/**
 * The project's own folder, unless an external one is configured and can be used. Where it cannot, entries go to
 * the project's folder, never silently; with `on_external_failure: fail` nothing goes anywhere (TOP-7).
 */
export function resolveTopicsFolder(values: SettingValues, place: TopicsPlace): TopicsFolder | undefined {
  const own = ownTopicsFolder(values, place.project);
  if (!values["memory_configuration.external_memory_enabled"]) return own;
  const given = values["memory_configuration.memory_path"];
  try {
    if (given?.includes(projectMark)) throw noProjectToName();
    const isRepository = values["memory_configuration.memory_type"] === "git_repo";
    if (isRepository) return { ...repositoryOf(given ?? "", values, place), isExternal: true };
    return { given: given ?? "", folder: usable(given, values, place), isExternal: true };
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error;
    if (values["memory_configuration.on_external_failure"] === "fail" || !own) throw error;
    const warning = `${error.message} Entries go to “${own.given}” in the project until memory_configuration.memory_path is mended.`;
    return { ...own, warning };
  }
}

function noProjectToName(): RecollectError {
  const says = `memory_configuration.memory_path contains ${projectMark}, and there is no project here. Change to a project, or give --project-name.`;
  return new RecollectError("INVALID_ARGUMENT", says);
}

/** The project's own folder, whatever else is configured. */
export function ownTopicsFolder(values: SettingValues, project: string | undefined): TopicsFolder | undefined {
  const place = values.memory_path;
  return project === undefined && place.space === undefined ? undefined : { ...place, isExternal: false };
}

/** A remote has a clone among the user's data; a folder must be a repository already, or empty. */
function repositoryOf(given: string, values: SettingValues, place: TopicsPlace): Omit<TopicsFolder, "isExternal"> {
  const found = parseGitPlace(given);
  if (found.kind === "remote") return cloneOf(found.url, place);
  const folder = usable(given, values, place);
  if (isBareRepository(folder)) return cloneOf(folder, place);
  try {
    if (readdirSync(folder).length === 0) makeRepository(folder, undefined);
  } catch (error) {
    throw externalPathError("access", error);
  }
  if (existsSync(join(folder, ".git"))) return { given, folder, git: { isClone: false } };
  const says = `The external memory “${given}” is no git repository. Run git init there, or set memory_configuration.memory_type: local_dir.`;
  throw new RecollectError("NOT_ALLOWED", says);
}

function cloneOf(url: string, { dataFolder }: TopicsPlace): Omit<TopicsFolder, "isExternal"> {
  const name = cloneName(url, (text) => hash("sha256", text, "hex"));
  const folder = join(dataFolder, "repositories", name);
  // What is made or taken over there would land at the target of a link.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const says = `The clone of the external memory, “repositories/${name}” in your data folder, is a link. Put the folder itself there, or delete the link: the next sync makes a new clone.`;
    throw new RecollectError("NOT_ALLOWED", says);
  }
  try {
    makeFolders(folder, 0o700);
    makeRepository(folder, url);
  } catch (error) {
    throw externalPathError("access", error);
  }
  return { given: name, folder, git: { isClone: true } };
}

function usable(given: string | undefined, values: SettingValues, { project, cwd, home }: TopicsPlace): string {
  const checked = checkExternalPath(given ?? "", {
    homes: [home, realPathOf(home)],
    accountHomes: accountHomes(),
    isWindows: process.platform === "win32",
    foldsCase: process.platform === "win32" || process.platform === "darwin",
    realPath: realPathOf,
    resolve: (path) => resolve(project ?? cwd, path),
  });
  if ("violation" in checked) throw externalPathError(checked.violation);
  if (isRemote(given ?? "")) throw externalPathError("access");
  assertApart(given ?? "", realPathOf(checked.path), values, project);
  try {
    makeFolders(checked.path);
    if (!statSync(checked.path).isDirectory()) throw externalPathError("access");
    accessSync(checked.path, constants.R_OK | constants.W_OK | constants.X_OK);
    return checked.path;
  } catch (error) {
    throw error instanceof RecollectError ? error : externalPathError("access", error);
  }
}

/** By the system's own record: `HOME` may be set to anything, and the keys stay where they are. */
function accountHomes(): string[] {
  try {
    const { homedir } = userInfo();
    return [homedir, realOrNone(homedir) ?? homedir];
  } catch {
    // A user id without a record, as in some containers.
    return [];
  }
}

/** An address, a host, or a transport of git, none of which is a folder. A drive of Windows is one letter. */
function isRemote(given: string): boolean {
  return /^-|^[^/\\]{2,}:/.test(given);
}

/** One folder with two meanings would let one tool read and rewrite what belongs to another. */
function assertApart(given: string, real: string, values: SettingValues, project: string | undefined): void {
  const isSame = (folder: string) => realOrNone(folder) === real;
  const isWithin = (folder: string) => isInside(realOrNone(folder) ?? folder, real);
  const refused = (why: string) =>
    new RecollectError("NOT_ALLOWED", `The external memory “${given}” ${why}. Choose a folder of its own.`);
  if (project !== undefined && isWithin(project)) throw refused("lies inside of the project, so it is not external");
  const memories = [
    values["memories.folder"],
    values["memories.global_folder"],
    ...values["memories.additional_folders"],
  ];
  if (memories.some(({ folder }) => folder !== undefined && isSame(folder)))
    throw refused("is a folder of memories already");
  const bank = values["bank.memory_path"]?.folder;
  if (bank !== undefined && isWithin(bank)) throw refused("lies inside of the bank");
  const agents = values["agent.app_cache_dir"].folder;
  if (agents !== undefined && isWithin(join(agents, agentRoot)))
    throw refused("lies where the agents keep their own files");
}
