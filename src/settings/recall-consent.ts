import { createHash, randomBytes } from "node:crypto";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { makeFolders } from "../backends/files/make-folders.ts";
import { toStorageError } from "../backends/files/storage-error.ts";
import { attempt } from "../kernel/attempt.ts";
import { type UserPlace, userDataFolder } from "./user-folders.ts";

/** What the user allowed in one repository. */
interface Consent {
  readonly repository: string;
  /** Of that folder: what is made anew at the same path is another repository. */
  readonly identity: string;
  /**
   * Where in a work tree it was said, `""` for its top. A project below the top needs a word of its own, and gives none
   * to the others: an archive that was unpacked there has another author.
   */
  readonly projects: readonly string[];
}

/**
 * Where the user said that hooks may recall the notes of a project: they came with a clone, from its author (USE-16).
 * One record a repository, beside those of trust. Loads next to nothing: each event of a client asks.
 */
export function allowsRecall(project: string, user: Partial<UserPlace> = {}): boolean {
  const place = placeOf(project, user.home);
  if (place === undefined) return false;
  const consent = consentFor(place.repository, user);
  return consent?.projects.includes(place.within) === true;
}

/** Undefined also where another repository has taken the place of the one that was meant. */
function consentFor(repository: string, user: Partial<UserPlace>): Consent | undefined {
  const consent = consentIn(recordOf(repository, user));
  return consent?.repository === repository && consent.identity === identityOf(repository) ? consent : undefined;
}

/** What cannot be read allows nothing; the user is asked again. */
function consentIn(file: string): Consent | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isConsent(record) ? record : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function isConsent(record: unknown): record is Consent {
  if (typeof record !== "object" || record === null) return false;
  const { repository, identity, projects } = record as Readonly<Record<string, unknown>>;
  const isText = (value: unknown) => typeof value === "string";
  return isText(repository) && isText(identity) && Array.isArray(projects) && projects.every(isText);
}

export function allowRecall(project: string, user: Partial<UserPlace> = {}): void {
  const place = placeOf(project, user.home);
  const identity = place && identityOf(place.repository);
  if (place === undefined || identity === undefined) throw new Error("a project that does not exist");
  const { repository, within } = place;
  const projects = [...new Set([...(consentFor(repository, user)?.projects ?? []), within])].toSorted();
  const record = recordOf(repository, user);
  const fresh = `${record}.${randomBytes(6).toString("hex")}.new`;
  const text = JSON.stringify({ format: 1, repository, identity, projects });
  try {
    makeFolders(dirname(record), 0o700);
    writeFileSync(fresh, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
    renameSync(fresh, record);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw toStorageError(error, "remember what you trust");
  }
}

/** Names what the user is asked about: a project below the top, or what is made anew at the same path, is another one. */
export function recallSubject(project: string, user: Partial<UserPlace> = {}): string {
  const place = placeOf(project, user.home);
  return JSON.stringify(place ? [place.repository, identityOf(place.repository), place.within] : [project]);
}

/** For the whole repository; whether there was anything to take back. */
export function revokeRecall(project: string, user: Partial<UserPlace> = {}): boolean {
  const wasAllowed = allowsRecall(project, user);
  const repository = repositoryOf(project, user.home);
  if (repository !== undefined) revokeRecallOf(repository, user);
  return wasAllowed;
}

/** The same by what was allowed, which may be gone. */
export function revokeRecallOf(repository: string, user: Partial<UserPlace> = {}): void {
  rmSync(recordOf(repository, user), { force: true });
}

/** The repositories and projects whose notes hooks may recall; one that is away, as on a drive, may come back. */
export function listRecall(user: Partial<UserPlace> = {}): readonly string[] {
  const folder = recallFolder(user);
  const names = attempt(() => readdirSync(folder)) ?? [];
  const found = names.filter((name) => name.endsWith(".json")).map((name) => consentIn(join(folder, name)));
  return found
    .filter((consent) => consent !== undefined)
    .filter(({ repository, identity }) => (identityOf(repository) ?? identity) === identity)
    .map(({ repository }) => repository)
    .toSorted();
}

function recordOf(repository: string, user: Partial<UserPlace>): string {
  const name = createHash("sha256").update(repository).digest("hex");
  return join(recallFolder(user), `${name}.json`);
}

function recallFolder(user: Partial<UserPlace>): string {
  return join(userDataFolder(user), "recall");
}

/**
 * The folder that all worktrees of a repository have in common, or the project itself where there is no git. What
 * an archive can fake, a link or a `.git` file that names a repository of the user, stands for itself alone.
 */
export function repositoryOf(project: string, home = homedir()): string | undefined {
  return placeOf(project, home)?.repository;
}

/** One for a project in all worktrees of its repository; each project that lies in the repository has its own. */
export function projectKey(project: string, home?: string): string {
  const { repository, within } = placeOf(project, home) ?? { repository: project, within: "" };
  return within === "" ? repository : join(repository, within);
}

/** With the path of the project in the work tree. */
function placeOf(project: string, home = homedir()): { repository: string; within: string } | undefined {
  const folder = realPathOf(project);
  if (folder === undefined) return undefined;
  const top = topOf(folder);
  // A home folder that is a repository holds clones and downloads of any origin.
  if (top === undefined || top === realPathOf(home)) return { repository: folder, within: "" };
  const git = join(top, ".git");
  const stat = statOf(git);
  const common = stat?.isDirectory() ? git : stat?.isFile() ? commonFolderOf(git) : undefined;
  return { repository: common ?? top, within: relative(top, folder) };
}

/** Numbers of files are used again, and times of birth can be had by chance: together they tell. */
function identityOf(folder: string): string | undefined {
  const stat = attempt(() => lstatSync(folder, { bigint: true, throwIfNoEntry: false }));
  return stat && `${stat.ino} ${stat.birthtimeNs}`;
}

function topOf(folder: string): string | undefined {
  if (statOf(join(folder, ".git")) !== undefined) return folder;
  return dirname(folder) === folder ? undefined : topOf(dirname(folder));
}

/** Of a worktree that its repository knows, too. */
function commonFolderOf(gitFile: string): string | undefined {
  const named = /^gitdir: (.+)$/.exec(lineOf(gitFile) ?? "")?.[1];
  if (named === undefined) return undefined;
  const gitFolder = resolve(dirname(gitFile), named);
  const [common, back] = [lineOf(join(gitFolder, "commondir")), lineOf(join(gitFolder, "gitdir"))];
  if (!common || !back || realPathOf(resolve(gitFolder, back)) !== gitFile) return undefined;
  return realPathOf(resolve(gitFolder, common));
}

function lineOf(path: string): string | undefined {
  return attempt(() => {
    const stat = statOf(path);
    if (!stat?.isFile() || stat.size > 16 * 1024) return undefined;
    const text = readFileSync(path, "utf8").trim();
    return /[\0\n]/.test(text) ? undefined : text;
  });
}

function statOf(path: string): Stats | undefined {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }));
}

function realPathOf(path: string): string | undefined {
  return attempt(() => realpathSync.native(path));
}
