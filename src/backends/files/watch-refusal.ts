import type { Directory } from "./directory.ts";
import { foldsCase } from "./spelling.ts";
import { hasCode } from "./storage-error.ts";
import { tellsChanges } from "./watch-file-systems.ts";
import { isObstacle } from "./watch-folders.ts";

interface Refusal {
  readonly kind: "unwatched";
  readonly reason: string;
}

/** Why the changes of a root are not noticed for sure, whatever the system says to a watch; undefined where they are. */
export function reasonNotToWatch(open: (folder: string) => Directory | undefined, root: string): string | undefined {
  // Elsewhere each folder has a queue of its own, or events are lost whenever a folder is added: nothing proves an answer.
  if (process.platform !== "linux") return `On this system “${root}” is looked through at each search.`;
  const folder = open("");
  if (!folder) return undefined;
  try {
    if (!tellsChanges(folder.at("."))) return silent(root);
    // An event has the spelling of whoever made the change, and not that of the listing.
    if (foldsCase(folder))
      return `“${root}” takes upper and lower case for the same: it is looked through at each search.`;
    return undefined;
  } finally {
    folder.close();
  }
}

/** What was in the way, and what to do about it. */
export function refusalToWatch(root: string, error: unknown): Refusal {
  return { kind: "unwatched", reason: reasonOf(root, error) };
}

function reasonOf(root: string, error: unknown): string {
  const sweep = `“${root}” is looked through at each search`;
  if (isObstacle(error, "silent")) return silent(root);
  if (isObstacle(error, "too-many")) return `${sweep}: it has too many folders to watch.`;
  if (hasCode(error, "ENOSPC")) {
    return `${sweep}: the system watches no more folders. Raise its limit: sysctl fs.inotify.max_user_watches=524288`;
  }
  if (hasCode(error, "EMFILE", "ENFILE")) {
    return `${sweep}: too many files or watches are open. Raise the limit: sysctl fs.inotify.max_user_instances=1024, or ulimit -n`;
  }
  if (hasCode(error, "EACCES", "EPERM", "PERMISSION_DENIED"))
    return `${sweep}: the system denies the right to watch it.`;
  return `${sweep}: the system does not tell its changes.`;
}

function silent(root: string): string {
  return `“${root}” is looked through at each search: its file system does not tell what others change.`;
}
