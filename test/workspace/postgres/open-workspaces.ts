import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../../src/app.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";
import { complete } from "../../search/whole/search-world.ts";

/** A user with a project, and a part of the database that no other test has. */
export interface DatabaseWorld extends MemoryWorld {
  readonly space: string;
  readonly url: string;
  /** As a server of its own would: each with indexes of its own. */
  open(options?: WorkspaceOptions & { readonly machine?: string }): Promise<Workspace>;
}

export async function databaseWorld(folder: string): Promise<DatabaseWorld> {
  const world = memoryWorld(folder);
  const [url, space] = [await postgresUrl(), randomUUID()];
  return {
    ...world,
    url,
    space,
    open: async ({ machine = "one", flags, ...options } = {}) => {
      const env = { ...world.env, XDG_CACHE_HOME: `${world.folder}-cache-${machine}` };
      const workspace = await openWorkspace({
        project: world.project,
        home: world.home,
        env,
        flags: { "--database-url": url, "--database-space": space, ...flags },
        ...options,
      });
      onTestFinished(() => workspace.close());
      return workspace;
    },
  };
}

/** The documents that a search finds, best first. */
export async function found(workspace: Workspace, query: string): Promise<string[]> {
  const { hits, warnings } = await complete(workspace.search, query);
  // That of words which nobody wrote is about the query, not about the index.
  const wrong = warnings.filter((warning) => !warning.startsWith("Nothing has any of these words"));
  if (wrong.length > 0) throw new Error(wrong.join(" "));
  return hits.map(({ root, path }) => `${root}: ${path}`);
}
