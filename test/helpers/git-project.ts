import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type MemoryWorld, memoryWorld } from "./memory-world.ts";

/** A project with a repository of its own, and a user whose git knows nothing of whoever runs the tests. */
export interface GitProject extends MemoryWorld {
  /** What git prints; throws where it fails. */
  git(...args: string[]): string;
  /** The same for what may fail. */
  tryGit(...args: string[]): { readonly code: number; readonly out: string; readonly err: string };
  put(path: string, content: string | Buffer): void;
  read(path: string): string;
  /** Commits everything that is there. */
  commitAll(message: string): void;
}

/** An empty one, or a copy of one that was prepared: to copy files costs less than the git processes that made them. */
export function gitProject(folder: string, prepared?: GitProject): GitProject {
  const world = memoryWorld(folder);
  rmSync(join(world.project, ".git"), { recursive: true });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: world.home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_EDITOR: "true",
    LC_ALL: "C",
  };
  const options = { cwd: world.project, env, encoding: "utf8" as const };
  const git = (...args: string[]) => execFileSync("git", args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  writeFileSync(join(world.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  if (prepared) for (const path of ["home", "work"]) copyFolder(join(prepared.folder, path), join(folder, path));
  else git("init", "-q", "-b", "main");
  return {
    ...world,
    git,
    tryGit: (...args) => {
      const { status, stdout, stderr } = spawnSync("git", args, options);
      return { code: status ?? -1, out: stdout, err: stderr };
    },
    put: (path, content) => {
      const file = join(world.project, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    read: (path) => readFileSync(join(world.project, path), "utf8"),
    commitAll: (message) => {
      git("add", "-A");
      git("commit", "-q", "-m", message);
    },
  };
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
