import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Search, SearchPage, SearchRequest } from "../../../src/search/search.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../../src/workspace/workspace.ts";

/** A user with a home and a project of their own; nothing of whoever runs the tests. */
export interface SearchWorld {
  readonly home: string;
  readonly project: string;
  /** Where the indexes lie. */
  readonly cache: string;
  /** Writes a file below the project, with its folders. */
  write(path: string, content: string | Buffer): string;
  /** A memory, by its path below the folder of memories. */
  note(path: string, content: string | Buffer): string;
  at(path: string): string;
  remove(path: string): void;
  /** Closed when the test is done. */
  open(options?: WorkspaceOptions): Promise<Workspace>;
  /** A process that starts for this one question. */
  ask(request: SearchRequest | string, options?: WorkspaceOptions): Promise<SearchPage>;
}

export function searchWorld(folder: string, settings = ""): SearchWorld {
  const [home, project] = [join(folder, "home"), join(folder, "app")];
  for (const path of [home, project]) mkdirSync(path, { recursive: true });
  // A project of its own, wherever the tests run.
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "recollect.yaml"), settings);
  const at = (path: string) => join(project, path);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
    return at(path);
  };
  const optionsOf = (options: WorkspaceOptions) => ({ project, home, env: {}, ...options });
  return {
    home,
    project,
    cache: join(home, ".cache", "recollect", "search"),
    at,
    write,
    note: (path, content) => write(`.serena/memories/${path}`, content),
    remove: (path) => rmSync(at(path), { recursive: true }),
    open: async (options = {}) => {
      const workspace = await openWorkspace(optionsOf(options));
      onTestFinished(() => workspace.close());
      return workspace;
    },
    ask: async (request, options = {}) => {
      const workspace = await openWorkspace(optionsOf(options));
      try {
        return await complete(workspace.search, request);
      } finally {
        await workspace.close();
      }
    },
  };
}

/** Asks until the index is built: a loaded machine may need longer than a search waits. */
export async function complete(search: Search, request: SearchRequest | string): Promise<SearchPage> {
  for (;;) {
    const page = await search.search(typeof request === "string" ? { query: request } : request);
    if (!page.warnings.some((warning) => warning.includes("still being built"))) return page;
  }
}

/** The files of the indexes, the databases first. */
export function indexFiles({ cache }: SearchWorld): string[] {
  if (!existsSync(cache)) return [];
  return readdirSync(cache).map((name) => join(cache, name));
}

/** All that lies in the user's cache, in small letters. */
export function cacheText({ home }: SearchWorld): string {
  return readdirSync(join(home, ".cache"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1").toLowerCase())
    .join("\n");
}

export function databasesIn(world: SearchWorld): string[] {
  return indexFiles(world).filter((file) => file.endsWith(".sqlite"));
}

export function pathsOf({ hits }: SearchPage): string[] {
  return hits.map(({ path }) => path);
}
