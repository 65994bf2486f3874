import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type FilesStore, openFilesStore } from "../backends/files/files-store.ts";
import type { SpaceRoot } from "../backends/postgres/spaces.ts";
import type { Source } from "../kernel/source.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import type { WorkspaceDatabase } from "./workspace-database.ts";

/** The roots of a workspace for whoever follows what is in them, wherever they lie. */
export interface RootSources {
  source(root: string, options?: SourceOptions): Source;
  /** An agent's own files and nothing beside them; undefined where something else is in their place. */
  agent(agentId: string): Source | undefined;
}

interface SourceOptions {
  /** Which paths are documents to the caller, such as those that end in `.md`. */
  readonly isDocument?: (path: string) => boolean;
}

export interface RootSourcesOptions {
  readonly files: FilesStore;
  readonly spaces: readonly SpaceRoot[];
  /** Where the files of all agents lie. */
  readonly agents: ConfiguredPlace;
  readonly database: WorkspaceDatabase | undefined;
}

/** The name of the root, for the agent whose files they are. */
export const agentFilesRoot = "agent";

export function createRootSources({ files, spaces, agents, database }: RootSourcesOptions): RootSources {
  return {
    source: (root, options) => {
      const space = spaces.find(({ name }) => name === root)?.space;
      if (space === undefined || !database) return files.source(root, options);
      return database.source({ root, space, ...options });
    },
    agent: (agentId) => {
      if (agents.folder !== undefined) return agentFolder(join(agents.folder, agentRoot, agentId));
      return database?.source({ root: agentFilesRoot, space: `${agents.space}/${agentId}` });
    },
  };
}

/** Another agent's files are in another root, and in another index. */
function agentFolder(folder: string): Source | undefined {
  // Its index would be that of the folder it leads to.
  if (isLink(folder)) return undefined;
  const store = openFilesStore({
    roots: [{ name: agentFilesRoot, folder, create: false, readOnly: true }],
    now: Date.now,
  });
  const source = ownFolderSource(store.source(agentFilesRoot), folder);
  // Nothing is ever under way in a store that nobody writes to.
  return { ...source, close: () => void store.close() };
}

/** A source that has nothing as long as a link is in its folder's place: that could lead to another agent's (AGT-4). */
function ownFolderSource(source: Source, folder: string): Source {
  return {
    ...source,
    survey: (at) => (isLink(folder) ? [] : source.survey(at)),
    read: async (path) => (isLink(folder) ? undefined : source.read(path)),
    changes: async () => {
      const changed = await source.changes();
      return isLink(folder) ? undefined : changed;
    },
  };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // Whoever opens it says what the matter is.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
