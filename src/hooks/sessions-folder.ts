import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createUserHash, makeFolders, sessionLogsFolder, type UserHash, type UserPlace } from "../app.ts";

const forgottenMs = 7 * 24 * 60 * 60 * 1000;

/** Where what hooks remember of sessions is kept for a week: logs of one session or project each, for the user alone. */
export interface SessionsFolder {
  /** The log of something that has a name, which the name of the file does not tell. */
  file(kind: "session" | "project", name: string): string;
  hash: UserHash;
  tidy(now: number): void;
}

export function openSessionsFolder(user: Partial<UserPlace>): SessionsFolder {
  const folder = sessionLogsFolder(user);
  makeFolders(folder, 0o700);
  const hash = createUserHash(user);
  return {
    file: (kind, name) => join(folder, `${kind}-${hash(name)}.jsonl`),
    hash,
    tidy: (now) => {
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
        if (changed < now - forgottenMs) rmSync(file, { force: true });
      }
    },
  };
}
