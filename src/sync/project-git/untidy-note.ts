import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { hasCode } from "../../backends/files/storage-error.ts";

/**
 * Folders of topics that git merged, in the repository's own folder. Where both sides added an entry to one subtopic,
 * their indexes say the same and git asks nobody: only after the merge can the entries be counted.
 */
const noteName = "recollect-untidy";

export function noteUntidy(gitDir: string, topics: string): void {
  try {
    appendFileSync(join(gitDir, noteName), `${JSON.stringify(topics)}\n`);
  } catch (error) {
    // A number in the index that is not right, which doctor shows, is no reason to fail a merge.
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT")) throw error;
  }
}

export interface UntidyNote {
  remove(): void;
}

/** Whether git merged files of this folder since somebody last counted. The folder is a real path. */
export function findUntidy(folder: string): UntidyNote | undefined {
  const found = findRepository(folder);
  if (!found) return undefined;
  const file = join(found.gitDir, noteName);
  const own = JSON.stringify(relative(found.top, folder).split(sep).join("/"));
  const count = linesOf(file).filter((line) => line === own).length;
  if (count === 0) return undefined;
  return {
    remove: () => {
      // What git merged since was not counted: only the lines that were there go.
      let left = count;
      const others = linesOf(file).filter((line) => line !== own || --left < 0);
      if (others.length === 0) rmSync(file, { force: true });
      else writeFileSync(file, `${others.join("\n")}\n`);
    },
  };
}

function linesOf(file: string): string[] {
  return textOf(file).split("\n").filter(Boolean);
}

/** By looking alone: whoever stores an entry does not wait for a process. */
function findRepository(folder: string): { top: string; gitDir: string } | undefined {
  const place = join(folder, ".git");
  const stat = statOf(place);
  if (stat?.isDirectory()) return { top: folder, gitDir: place };
  const elsewhere = stat?.isFile() ? /^gitdir: (.+)$/m.exec(textOf(place))?.[1] : undefined;
  if (elsewhere !== undefined) return { top: folder, gitDir: resolve(folder, elsewhere) };
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Empty where there is no plain file, since a named pipe would never end, or nobody may read it. */
function textOf(path: string): string {
  try {
    return statOf(path)?.isFile() ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
