import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

export function gitProject(folder: string): GitProject {
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
  git("init", "-q", "-b", "main");
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
