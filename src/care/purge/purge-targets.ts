import { existsSync } from "node:fs";
import { join } from "node:path";
import { sealedBelow } from "../../backends/files/sealed-places.ts";
import type { MirrorOptions } from "../../history/git/mirror.ts";
import { formerFolders } from "../../history/git/mirror-folder.ts";
import type { Backend, RootCare } from "../../kernel/backend.ts";
import { createDocuments, type Documents } from "../../kernel/documents.ts";
import { fullAccess } from "../../kernel/root-policy.ts";
import { agentRoot } from "../../notes/agents/agent-root.ts";
import { foldersWithHistory, historyRoots, type MirrorBase, mirrorOf } from "../../roots/history-roots.ts";
import { folderOf, type RootPlace, toRootPlace } from "../../roots/root-place.ts";
import { isInside, realOrNone } from "../../settings/real-path.ts";
import { foreignFolders, type PurgedFolder } from "./purge-files.ts";
import type { PurgeWorkspaceOptions } from "./purge-workspace.ts";

type TargetOptions = Pick<PurgeWorkspaceOptions, "backends" | "plan" | "documents" | "agents" | keyof MirrorBase>;

/** What is cleaned: the roots of a workspace, and the files of all agents. */
export interface PurgeTargets {
  readonly roots: readonly PurgeTarget[];
  /** What is only read here. */
  readonly readOnly: readonly Omit<PurgeTarget, "documents">[];
  /** Second copies of histories, and what they are copies of. */
  readonly mirrors: readonly { readonly root: string; readonly mirror: MirrorOptions }[];
  /** Second copies of histories whose folders are gone. */
  readonly former: readonly MirrorOptions[];
  /** What they are on disk. */
  readonly files: readonly PurgedFolder[];
  /** Ends what killed processes began, for agents too: staged files hold what was to be written. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

interface PurgeTarget {
  readonly root: string;
  readonly care: RootCare;
  readonly documents: Documents;
}

export async function openPurgeTargets(options: TargetOptions): Promise<PurgeTargets> {
  const { backends, plan, documents, agents, dataFolder } = options;
  const real = plan.folders.flatMap(({ folder }) => realOrNone(folder) ?? []);
  const withHistory = foldersWithHistory(plan).map((folder) => ({
    root: folder.name,
    mirror: mirrorOf(folder, options),
  }));
  const known = agents.flatMap((place) => folderOf(place) ?? []);
  // Those that are known, and those that left their marker in a root.
  const agentFolders = [...new Set([...known, ...real.flatMap((root) => sealedBelow(root, foreignFolders))])];
  // Outside of a repository; inside of one, every mirror of it is looked through anyway.
  const formerOnes = formerFolders(dataFolder, (folder) => {
    return real.some((root) => isInside(root, folder)) && !withHistory.some(({ mirror }) => mirror.folder === folder);
  });
  const former = formerOnes.map((folder) => mirrorOf({ folder }, options));
  const readOnly = plan.roots.filter((root) => root.readOnly && !root.plain).map(({ name }) => name);
  const places = [
    ...agents.filter((place) => folderOf(place) === undefined),
    ...agentFolders.filter((folder) => existsSync(folder)).map((folder) => toRootPlace({ folder })),
  ];
  const ofAgents = places.flatMap((place) => openAgents(place, backends.at(place)) ?? []);
  const own = await careOf(historyRoots(plan), backends.of);
  const roots: PurgeTarget[] = own.map((one) => ({ ...one, documents }));
  for (const { name, backend } of ofAgents) {
    const ownDocuments = createDocuments({ roots: [{ name, policy: fullAccess, store: backend.documents }] });
    roots.push(...(await careOf([name], () => backend)).map((one) => ({ ...one, documents: ownDocuments })));
  }
  return {
    roots,
    readOnly: await careOf(readOnly, backends.of),
    mirrors: [...withHistory, ...former.map((mirror) => ({ root: mirror.folder, mirror }))],
    former,
    files: filesOf(options, agentFolders),
    recover: async () => {
      await backends.recover();
      for (const { backend } of ofAgents) await backend.documents.recover();
    },
    close: async () => {
      for (const { backend } of ofAgents) await backend.close();
    },
  };
}

async function careOf(
  roots: readonly string[],
  backendOf: (root: string) => Backend,
): Promise<Omit<PurgeTarget, "documents">[]> {
  const found: Omit<PurgeTarget, "documents">[] = [];
  for (const root of roots) {
    const care = await backendOf(root).care?.(root);
    if (care) found.push({ root, care });
  }
  return found;
}

/** Agents keep documents without history, each in a folder of its own. Their places are told apart by their paths. */
function openAgents(place: RootPlace, backend: Backend | undefined) {
  const name = folderOf(place) ?? agentRoot;
  return backend && { name, backend: backend.beside([{ name, place: place.place, create: false, isDivided: true }]) };
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
