import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { goodSource } from "./sabotage.ts";
import { createVersionsServers, type VersionsServers } from "./versions-servers.ts";

export const places = ["memories", "topics", "bank"] as const;
export type Place = (typeof places)[number];

/** What is around the folders of notes; it decides where mirrors are and what can happen to the notes. */
export const surroundings = ["notes beside git", "notes in git", "a linked worktree", "no git"] as const;
export type Surrounding = (typeof surroundings)[number];

/** Where a command works: the project with its bank, or a copy of both. */
export interface Folders {
  readonly project: string;
  readonly bank: string;
}

export interface CommandAnswer {
  readonly exitCode: number;
  readonly stdout: string;
}

export interface VerifyAnswer {
  readonly exitCode: number;
  readonly findings: readonly { readonly level: string; readonly says: string }[];
}

/** A project, a bank beside it, and the real processes that work on them. */
export interface VersionsWorld extends Folders {
  readonly base: string;
  readonly surrounding: Surrounding;
  readonly servers: VersionsServers;
  folderOf(place: Place): string;
  fileOf(place: Place, name: string): string;
  git(...args: string[]): string;
  /** A command, in the project or in a copy of it, by the build under test. */
  run(args: readonly string[], folders?: Folders): Promise<CommandAnswer>;
  verify(...flags: string[]): Promise<VerifyAnswer>;
  /** By the sources of this checkout, whatever build wrote. */
  open(): Promise<Workspace>;
}

export function createVersionsWorld(base: string, source: string, surrounding: Surrounding): VersionsWorld {
  const [home, project, bank] = [join(base, "home"), join(base, "project"), join(base, "bank")];
  for (const folder of [home, bank]) mkdirSync(folder, { recursive: true });
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...inherited,
    HOME: home,
    XDG_CACHE_HOME: join(base, "cache"),
    XDG_DATA_HOME: join(base, "data"),
    RIG_SOURCE: source,
  };
  const git = (...args: string[]) => gitIn(project, env, args);
  makeProject(base, project, env, surrounding);

  const program = fileURLToPath(
    new URL(source === goodSource ? "../bin/recollect.cjs" : "run-cli.ts", import.meta.url),
  );
  const flagsOf = (folders: Folders) => ["--project", folders.project, "--memory-path", folders.bank];
  const run = (args: readonly string[], folders: Folders = { project, bank }) =>
    runProgram([program, ...args, ...flagsOf(folders)], folders.project, env);
  const folderOf = (place: Place) => {
    if (place === "bank") return join(bank, "project");
    return join(project, place === "memories" ? ".serena/memories" : "memory");
  };

  return {
    base,
    surrounding,
    project,
    bank,
    git,
    run,
    folderOf,
    fileOf: (place, name) =>
      join(folderOf(place), place === "topics" ? `rig/${name.replaceAll("/", "-")}.md` : `${name}.md`),
    servers: createVersionsServers({ program, common: flagsOf({ project, bank }), cwd: project, env }),
    verify: async (...flags) => {
      const { exitCode, stdout } = await run(["verify", "--json", ...flags]);
      const answer = JSON.parse(stdout || "{}") as Partial<VerifyAnswer>;
      return { exitCode, findings: answer.findings ?? [{ level: "failed", says: stdout }] };
    },
    open: () =>
      openWorkspace({
        cwd: project,
        project,
        home,
        env,
        flags: { "--memory-path": bank },
        author: "person:rig",
        log: (_level, says) => {
          if (process.env["RIG_TALKS"]) appendFileSync(2, `${says}\n`);
        },
      }),
  };
}

function makeProject(base: string, project: string, env: NodeJS.ProcessEnv, surrounding: Surrounding): void {
  if (surrounding === "no git") return void mkdirSync(project);
  const main = surrounding === "a linked worktree" ? join(base, "main") : project;
  mkdirSync(main);
  gitIn(main, env, ["init", "--quiet", "--initial-branch=main"]);
  writeFileSync(join(main, "code.txt"), "code\n");
  gitIn(main, env, ["add", "code.txt"]);
  gitIn(main, env, ["commit", "--quiet", "--message=Begin"]);
  gitIn(main, env, ["tag", "begin"]);
  if (main !== project) gitIn(main, env, ["worktree", "add", "--quiet", "-b", "linked", project]);
}

function gitIn(cwd: string, env: NodeJS.ProcessEnv, args: readonly string[]): string {
  return execFileSync("git", ["-c", "user.name=rig", "-c", "user.email=rig@localhost", ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function runProgram(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<CommandAnswer> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, encoding: "utf8" }, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error as { readonly code?: unknown }).code;
      resolve({ exitCode: typeof code === "number" ? code : -1, stdout: stdout || stderr });
    });
  });
}
