import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { openRecordFiles } from "../backends/files/records.ts";
import { repositoryOf } from "./recall-consent.ts";
import { type UserPlace, userDataFolder } from "./user-folders.ts";

const choices = z.object({
  /** As in the consent for recall. */
  repository: z.string(),
  /** Where `init` was run. */
  project: z.string(),
  /** Whether it was `init` that let hooks recall the notes. */
  allowedRecall: z.boolean(),
  /** Whether git ignores the notes. */
  notes: z.enum(["private", "committed"]).optional(),
  /** What a client remembers of the project, in folders of its own: searched along, never written. */
  folders: z.array(z.string()),
});

/** What the user chose for one repository when they ran `recollect init` there. */
export type ProjectChoices = z.infer<typeof choices>;

export interface ProjectChoicesFiles {
  read(project: string): ProjectChoices | undefined;
  write(project: string, chosen: Omit<ProjectChoices, "repository" | "project">): void;
  remove(chosen: ProjectChoices): void;
  list(): ProjectChoices[];
}

export function openProjectChoices(user: UserPlace): ProjectChoicesFiles {
  const records = openRecordFiles<ProjectChoices>({
    folder: join(userDataFolder(user), "projects"),
    schema: choices,
    what: "what you chose for a project",
    remedy: ", then run “recollect init” in the project again",
  });
  const read = (project: string) => {
    const repository = repositoryOf(project, user.home);
    const found = repository === undefined ? undefined : records.read(nameOf(repository));
    return found?.repository === repository ? found : undefined;
  };
  return {
    read,
    write: (project, chosen) => {
      const repository = repositoryOf(project, user.home);
      if (repository !== undefined) records.write(nameOf(repository), { repository, project, ...chosen });
    },
    remove: ({ repository }) => void records.remove(nameOf(repository)),
    list: () => records.list().map(({ entry }) => entry),
  };
}

/** The folders of clients that are searched along in this project. One that is gone is no loss: the client took it away. */
export function adoptedFolders(project: string, user: UserPlace): string[] {
  return (openProjectChoices(user).read(project)?.folders ?? []).filter(isFolder);
}

function nameOf(repository: string): string {
  return createHash("sha256").update(repository).digest("hex");
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
