import { basename, dirname } from "node:path";
import {
  allowRecall,
  allowsRecall,
  type ClientMemory,
  counted,
  type FilePlan,
  findClaudeMemory,
  inspectNotesInGit,
  type NotesInGit,
  openProjectChoices,
  type ProjectChoices,
  planProjectFiles,
  repositoryOf,
  type Scope,
  type UserPlace,
} from "../app.ts";
import { printable } from "./output.ts";
import { tildePath } from "./setup-screen.ts";

export interface ProjectOptions {
  readonly private?: boolean;
  readonly committed?: boolean;
  /** False where what clients remember is to be left out. */
  readonly adopt?: boolean;
  readonly agentsMd?: boolean;
}

type Notes = "private" | "committed";

/** What `init` does for the project it is run in, beside the files of clients. */
export interface ProjectSetup {
  readonly project: string;
  /** Whether hooks may recall the notes of the project only from now on. */
  readonly allows: boolean;
  /** Undefined where the user is to be asked. */
  readonly notes: Notes | undefined;
  readonly git: NotesInGit | undefined;
  /** What a client remembers, and is searched along from now on. */
  readonly adopts: ClientMemory | undefined;
  readonly former: ProjectChoices | undefined;
  /** The files of the project that are written, once it is known what becomes of the notes. */
  plans(notes: Notes | undefined): FilePlan[];
}

export interface ProjectRequest {
  readonly project: string;
  readonly scope: Scope;
  readonly user: UserPlace;
  readonly options: ProjectOptions;
  /** Of the clients. */
  readonly files: readonly FilePlan[];
  /** Whether there is a client that no hook tells of memory. */
  readonly lacksHooks: boolean;
}

export async function prepareProject(request: ProjectRequest): Promise<ProjectSetup> {
  const { project, scope, user, options, lacksHooks } = request;
  const former = openProjectChoices(user).read(project);
  const git = await inspectNotesInGit(project, user);
  const found = options.adopt === false ? undefined : memoryOf(project, user);
  const adopts = found && former?.folders.includes(found.folder) ? undefined : found;
  // A clone's files for one person are no files of the team.
  const own =
    scope === "project" ? request.files.flatMap(({ path, below }) => (below === undefined ? [] : [path])) : [];
  const clients = (await git?.untracked(own)) ?? [];
  return {
    project,
    former,
    git,
    adopts,
    allows: !allowsRecall(project, user),
    notes: notesOf(options, former, git),
    plans: (notes) => {
      const rules = notes === "private" ? (git?.rules ?? []) : [];
      const ignores = git && { file: git.excludeFile, below: git.excludesBelow, notes: rules, clients };
      // It is a file of the team: for the user alone it is left as it is, unless they ask for it.
      const instructs = options.agentsMd ?? (lacksHooks && scope === "shared");
      return planProjectFiles({ ...user, project, scope, instructs, ...(ignores === undefined ? {} : { ignores }) });
    },
  };
}

/** What was said or is so already; without a repository there is nothing to decide. */
function notesOf(
  options: ProjectOptions,
  former: ProjectChoices | undefined,
  git: NotesInGit | undefined,
): Notes | undefined {
  if (options.private) return "private";
  if (options.committed || git === undefined || git.areTracked) return "committed";
  return former?.notes ?? (git.areIgnored ? "private" : undefined);
}

function memoryOf(project: string, user: UserPlace): ClientMemory | undefined {
  const repository = repositoryOf(project, user.home) ?? project;
  return findClaudeMemory(basename(repository) === ".git" ? dirname(repository) : repository, user);
}

/** Whether there is anything to do for the project beside writing files. */
export function isSettled({ allows, notes, adopts, former, git }: ProjectSetup): boolean {
  const isKnown = git === undefined || (notes !== undefined && (former === undefined || former.notes === notes));
  return !allows && adopts === undefined && isKnown;
}

export function projectLines(setup: ProjectSetup, home: string, byDefault: Notes | undefined): string[] {
  const { project, allows, notes, git, adopts } = setup;
  const here = printable(tildePath(project, home));
  return [
    ...(allows
      ? [`Hooks may recall the notes of ${here}, also those that came with a clone or come with a pull.`]
      : []),
    ...(git === undefined || (notes !== undefined && setup.former?.notes === notes)
      ? []
      : [notesWords(notes ?? byDefault)]),
    ...(adopts === undefined
      ? []
      : [
          `${adopts.title} remembers ${counted(adopts.notes, "note")} about this project, in ${printable(tildePath(adopts.folder, home))}.`,
          "  They are searched along and never changed; --no-adopt leaves them out.",
        ]),
  ];
}

function notesWords(notes: Notes | undefined): string {
  if (notes === undefined)
    return "Notes can stay private, so that git ignores them as shown, or be committed for your team.";
  return notes === "private"
    ? "Notes stay private: git ignores them here (--committed leaves them to be committed)."
    : "Notes are meant to be committed (--private has git ignore them here).";
}

export function applyProject(setup: ProjectSetup, notes: Notes | undefined, user: UserPlace): void {
  const { project, allows, adopts, former } = setup;
  if (allows) allowRecall(project, user);
  openProjectChoices(user).write(project, {
    allowedRecall: allows || former?.allowedRecall === true,
    ...(notes === undefined ? {} : { notes }),
    folders: [...(former?.folders ?? []), ...(adopts === undefined ? [] : [adopts.folder])],
  });
}
