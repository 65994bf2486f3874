import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Clone, type CloneOptions, gitEnv, openClone } from "../../rigs/sync-clone.ts";

export { type Clone, filesOf, gitEnv, openClone } from "../../rigs/sync-clone.ts";

const person = {
  GIT_AUTHOR_NAME: "Bo",
  GIT_AUTHOR_EMAIL: "bo@x",
  GIT_COMMITTER_NAME: "Bo",
  GIT_COMMITTER_EMAIL: "bo@x",
};

export function git(folder: string, ...args: string[]): string {
  const options = { cwd: folder, encoding: "utf8", stdio: "pipe", env: { ...gitEnv, ...person } } as const;
  return execFileSync("git", args, options);
}

export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "recollect-sync-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return folder;
}

export function makeRemote(folder: string): string {
  git(dirname(folder), "init", "-q", "--bare", "-b", "main", folder);
  return folder;
}

export function openClones(
  count: number,
  more: CloneOptions = {},
): { folder: string; remote: string; clones: Clone[] } {
  const folder = scratch();
  const remote = makeRemote(join(folder, "remote.git"));
  const clones = Array.from({ length: count }, (_, index) => openClone(join(folder, `clone-${index}`), remote, more));
  onTestFinished(async () => void (await Promise.all(clones.map((clone) => clone.close()))));
  return { folder, remote, clones };
}
