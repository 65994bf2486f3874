import { cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CliResult, cli } from "./cli.ts";
import { connectServer, type McpConnection } from "./mcp.ts";

/** A user with a home of their own, a project, and a base for a bank: nothing of whoever runs the tests. */
export interface MemoryWorld {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly bank: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file below the world's folder, with its parents. */
  write(path: string, content: string | Buffer): string;
  cli(args: readonly string[], input?: string | Buffer): Promise<CliResult>;
  connect(args?: readonly string[], options?: { pin?: string | undefined; cwd?: string }): Promise<McpConnection>;
}

/** A cache of its own for what is searched, outside of the world that tests compare; compiled code is shared. */
function cacheOf(folder: string): string {
  const [cache, place] = [`${folder}-cache`, join("recollect", "compile-cache")];
  const real = process.env["XDG_CACHE_HOME"] ?? join(realpathSync(process.env["HOME"] ?? "/"), ".cache");
  mkdirSync(join(real, place), { recursive: true });
  mkdirSync(join(cache, "recollect"), { recursive: true });
  symlinkSync(join(real, place), join(cache, place));
  return cache;
}

/**
 * Keeps a world as it is now, and gives what brings it back, at the same place: to copy files costs less than the git
 * processes that made them.
 */
export function keepWorld({ folder }: MemoryWorld): () => void {
  const kept = `${folder}-kept`;
  const copy = (from: string, to: string) =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  copy(folder, kept);
  return () => {
    rmSync(folder, { recursive: true, force: true });
    copy(kept, folder);
  };
}

export function memoryWorld(folder: string, name = "app"): MemoryWorld {
  const [home, project, bank] = [join(folder, "home"), join(folder, "work", name), join(folder, "bank")];
  for (const path of [home, project, bank]) mkdirSync(path, { recursive: true });
  // A project of its own, wherever the tests run.
  mkdirSync(join(project, ".git"));
  const env = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: cacheOf(folder) };
  const write = (path: string, content: string | Buffer) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return {
    folder,
    home,
    project,
    bank,
    env,
    write,
    cli: (args, input) => cli(args, input, { cwd: project, env: {}, home }),
    connect: (args = [], { pin, cwd = project } = {}) =>
      connectServer(args, { cwd, env, ...(pin === undefined ? {} : { pin }) }),
  };
}
