import { existsSync } from "node:fs";
import { join } from "node:path";
import { type FilesStore, openFilesStore } from "../../backends/files/files-store.ts";
import { sealedBelow } from "../../backends/files/sealed-places.ts";
import type { MirrorOptions } from "../../history/git/mirror.ts";
import { formerFolders } from "../../history/git/mirror-folder.ts";
import { createDocuments, type Documents } from "../../kernel/documents.ts";
import { fullAccess } from "../../kernel/root-policy.ts";
import type { Trail } from "../../kernel/trail.ts";
import { foldersWithHistory, type MirrorBase, mirrorOf } from "../../roots/history-roots.ts";
import { isInside, realOrNone } from "../../settings/real-path.ts";
import { foreignFolders, type PurgedFolder } from "./purge-files.ts";
import { openPurgedSpaces, type PurgedSpaces } from "./purge-spaces.ts";
import type { PurgeWorkspaceOptions } from "./purge-workspace.ts";

type TargetOptions = Pick<PurgeWorkspaceOptions, "stores" | "plan" | "documents" | "agents" | keyof MirrorBase>;

/** What is cleaned: roots in folders, and spaces of the database. */
export interface PurgeTargets {
  readonly folders: readonly PurgeTarget[];
  /** Second copies of histories whose folders are gone. */
  readonly former: readonly MirrorOptions[];
  readonly spaces: PurgedSpaces;
  /** What they are on disk. */
  readonly files: readonly PurgedFolder[];
  /** Ends what killed processes began, for agents too: staged files hold what was to be written. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

interface PurgeTarget {
  readonly trail: Trail;
  readonly documents: Documents;
  readonly mirror?: MirrorOptions;
}

export async function openPurgeTargets(options: TargetOptions): Promise<PurgeTargets> {
  const { stores, plan, documents, agents, dataFolder } = options;
  const real = plan.folders.flatMap(({ folder }) => realOrNone(folder) ?? []);
  const own = foldersWithHistory(plan).map((folder) => ({
    trail: stores.files.trail(folder.name),
    documents,
    mirror: mirrorOf(folder, options),
  }));
  // Those that are known, and those that left their marker in a root.
  const agentFolders = [...new Set([...agents.folders, ...real.flatMap((root) => sealedBelow(root, foreignFolders))])];
  // Outside of a repository; inside of one, every mirror of it is looked through anyway.
  const former = formerFolders(dataFolder, (folder) => {
    return real.some((root) => isInside(root, folder)) && !own.some(({ mirror }) => mirror.folder === folder);
  });
  const spaces = await openPurgedSpaces({ plan, agents: agents.spaces, database: stores.database });
  const ofAgents = agentFolders.filter((folder) => existsSync(folder)).map(openAgents);
  return {
    folders: [...own, ...ofAgents],
    former: former.map((folder) => mirrorOf({ folder }, options)),
    spaces,
    files: filesOf(options, agentFolders),
    recover: async () => {
      await stores.recover();
      for (const { store } of ofAgents) await store.recover();
    },
    close: async () => {
      for (const { store } of ofAgents) await store.close();
    },
  };
}

/** Agents keep documents without history, each in a folder of its own. Their places are told apart by their paths. */
function openAgents(folder: string): PurgeTarget & { readonly store: FilesStore } {
  const store = openFilesStore({ roots: [{ name: folder, folder, create: false }], now: Date.now });
  const documents = createDocuments({ roots: [{ name: folder, policy: fullAccess, store }] });
  return { trail: store.trail(folder), documents, store };
}

/** By their real paths, so that a folder in another one is looked through once. */
function filesOf({ plan, dataFolder }: TargetOptions, agentFolders: readonly string[]): PurgedFolder[] {
  const own = foldersWithHistory(plan).map(({ name, folder }): PurgedFolder => {
    const isClone = isInside(join(dataFolder, "repositories"), folder);
    return { shown: name, folder: realOrNone(folder) ?? folder, files: isClone ? "all" : "kept" };
  });
  // In the project itself lie drafts alone, of tools that write its files.
  const plain = plan.folders
    .filter((one) => one.plain && !one.readOnly)
    .map(({ name, folder }): PurgedFolder => ({ shown: name, folder: realOrNone(folder) ?? folder, files: "drafts" }));
  return [...own, ...plain, ...agentFolders.map((folder): PurgedFolder => ({ shown: folder, folder, files: "all" }))];
}
