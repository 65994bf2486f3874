import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RootFolderOptions } from "../backends/files/root-folders.ts";
import { liesSealed, sealedRoot } from "../backends/files/sealed-places.ts";
import { hasCode, toStorageError } from "../backends/files/storage-error.ts";
import type { ExistingPath } from "../kernel/document-path.ts";
import { RecollectError } from "../kernel/errors.ts";
import { matchesGlob } from "../kernel/glob.ts";
import type { MountedRoot } from "../kernel/mounted-roots.ts";
import { fullAccess, readOnly } from "../kernel/root-policy.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { bankPolicies, bankRoots, parseProjectName } from "../notes/bank/bank-roots.ts";
import type { BankAreas } from "../notes/bank/locate-path.ts";
import type { MemoryFolder } from "../notes/memories/memory-folder.ts";
import { nameOfPath } from "../notes/memories/memory-name.ts";
import { isInside, realPathOf, whyOutside } from "../settings/real-path.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import type { ConfiguredPlace } from "../settings/setting-types.ts";
import type { SettingValues } from "../settings/settings.ts";
import { agentFilesRoot, agentPlaces, isAgentSpace } from "./agent-places.ts";
import { findForeignFile } from "./foreign-topics.ts";
import { folderOf, type PlacedRoot, type PlaceParts, placeText, rootFolders, toRootPlace } from "./root-place.ts";
import type { TopicsFolder } from "./topics-folder.ts";

/** What a configuration opens: places for the stores, policies for the documents, folders for the memories. */
export interface RootPlan {
  /** Whether the project's own files can be reached. */
  readonly hasProject: boolean;
  readonly roots: readonly PlacedRoot[];
  /** Those of them that lie in folders. */
  readonly folders: readonly RootFolderOptions[];
  readonly mounted: readonly Omit<MountedRoot, "store">[];
  readonly memoryFolders: readonly MemoryFolder[];
  /** Why no note may be made in them; undefined where notes may be. */
  readonly noNewNotes?: RecollectError | undefined;
  readonly areas: BankAreas | undefined;
  /** The root of the topics; undefined also where `topicsError` says why. */
  readonly topics: string | undefined;
  readonly topicsError: RecollectError | undefined;
  readonly warnings: readonly string[];
  /** Configured folders that are not there or not opened, and why. Also a warning each. */
  readonly leftOut: readonly LeftOutFolder[];
}

interface LeftOutFolder {
  readonly root: string;
  readonly says: string;
}

interface Candidate {
  readonly name: string;
  readonly place: Omit<PlacedRoot, "name">;
  readonly mounted: Omit<MountedRoot, "store">;
  readonly memories?: Omit<MemoryFolder, "root">;
}

const globalRoot = "global";

/** One folder is one root, whatever roles it was given: the first one counts, and the user is told of the others. */
export function planRoots(
  { values, origins }: Pick<ResolvedSettings, "values" | "origins">,
  {
    project,
    files,
    topics,
    dataFolder,
    isMirrored = () => false,
  }: {
    readonly project: string | undefined;
    /** Where the project's own files lie: in a worktree that shares its memories, not where those are. */
    readonly files: string | undefined;
    readonly topics: TopicsFolder | undefined;
    /** Where the user's own records lie, and agents keep their files by default. */
    readonly dataFolder: string;
    /** Whether a folder that does not exist is opened all the same, since its history has a mirror to restore it from. */
    readonly isMirrored?: ((folder: string) => boolean) | undefined;
  },
): RootPlan {
  const taken = new Map<string, string>();
  const kept: Candidate[] = [];
  const warnings: string[] = [];
  const leftOut: LeftOutFolder[] = [];
  const isProtected = protectionOf(values["memories.read_only"]);

  function add(candidate: Candidate): void {
    const real = realPlaceOf(candidate);
    const earlier = taken.get(real);
    if (earlier === undefined) {
      taken.set(real, candidate.name);
      kept.push(candidate);
      return;
    }
    if (!candidate.memories) {
      throw new RecollectError(
        "INVALID_ARGUMENT",
        `The ${candidate.name} and “${earlier}” are the same folder. Give each a folder of its own.`,
      );
    }
    warnings.push(`The folder “${candidate.name}” is “${earlier}” once more, and is left out.`);
  }

  const memoryRoot = (
    { name, place, create }: { readonly name: string; readonly place: ConfiguredPlace; readonly create: boolean },
    about: Omit<MemoryFolder, "root" | "baseName">,
  ): Candidate => ({
    name,
    place: openedPlace(place, { create, readOnly: about.readOnly }),
    mounted: {
      name,
      policy: about.readOnly ? readOnly : fullAccess,
      ...(isProtected ? { protects: (path: ExistingPath) => isProtected(path, about.kind === "global") } : {}),
    },
    memories: {
      ...about,
      baseName: basename(place.folder ?? place.space),
      ...(place.folder === undefined ? {} : { path: place.folder }),
    },
  });

  addPrimary();
  addAdditional();
  addGlobal();
  const areas = addBank(values, project, add);
  let topicsError: RecollectError | undefined;
  const topicsRoot = addTopics();
  const hasProject = files !== undefined && !isMemories(files);
  if (hasProject) {
    add({
      name: bankRoots.project,
      place: { ...toRootPlace({ folder: files }), create: false, plain: true },
      mounted: { name: bankRoots.project, policy: bankPolicies.project, naming: "any", isUnguarded: true },
    });
  } else if (files !== undefined && values.tools.includes("files")) {
    warnings.push("The project is itself a folder of memories, so read_file and its like do not reach its files.");
  }
  hideAgents();
  const roots = kept.map(({ name, place }) => ({ name, ...place }));
  return {
    roots,
    folders: rootFolders(roots),
    mounted: kept.map(({ mounted }) => mounted),
    memoryFolders: kept.flatMap(({ name, memories }) => (memories ? [{ root: name, ...memories }] : [])),
    areas,
    topics: topicsRoot,
    topicsError,
    hasProject,
    warnings,
    leftOut,
  };

  function leaveOut(root: string, says: string): void {
    warnings.push(says);
    leftOut.push({ root, says });
  }

  function addPrimary(): void {
    const primary = values["memories.folder"];
    if (project === undefined && primary.space === undefined) return;
    // A clone can bring `.serena` as a link to anywhere: only the user may lead out of the project.
    const isDefault = origins["memories.folder"].source === "default";
    const why = isDefault && primary.folder !== undefined ? whyOutside(project ?? "", primary.folder) : undefined;
    const blocker = primary.folder === undefined ? undefined : fileAbove(primary.folder);
    if (blocker !== undefined) {
      const says = `The folder “${primary.given}” cannot be opened, since a file is in the place of “${basename(blocker)}”. Move it away.`;
      leaveOut(primary.given, says);
    } else if (why === undefined) {
      const name = freeName(primary.given, reservedNames);
      add(memoryRoot({ name, place: primary, create: true }, { kind: "primary", readOnly: false }));
    } else {
      leaveOut(
        primary.given,
        `The folder “${primary.given}” is not opened, since ${why}. If you made it so, name it with --memories-folder or in your own settings file.`,
      );
    }
  }

  function addAdditional(): void {
    for (const { readOnly: isReadOnly, ...place } of values["memories.additional_folders"]) {
      const name = freeName(place.given, [...taken.values(), ...reservedNames]);
      const isThere = place.folder === undefined || isFolder(place.folder);
      if (!isThere) {
        leaveOut(
          name,
          `The folder “${place.given}” does not exist or cannot be opened, and is left out. Make it, or take it out of the settings.`,
        );
      }
      const isVanished = !isThere && !isReadOnly && !existsSync(place.folder) && isMirrored(place.folder);
      if (!isThere && !isVanished) continue;
      add(memoryRoot({ name, place, create: isVanished }, { kind: "additional", readOnly: isReadOnly }));
    }
  }

  function addGlobal(): void {
    const isWritable = values["memories.global_writable"];
    const place = values["memories.global_folder"];
    if (!isWritable && place.folder !== undefined && !isFolder(place.folder)) return;
    add(memoryRoot({ name: globalRoot, place, create: isWritable }, { kind: "global", readOnly: !isWritable }));
  }

  function addTopics(): string | undefined {
    if (!topics) return undefined;
    const isDefault = !topics.isExternal && origins.memory_path.source === "default";
    const isLink = isDefault && project !== undefined && topics.folder !== undefined;
    const why = isLink ? whyOutside(project, topics.folder) : undefined;
    if (why !== undefined) {
      const says = `The folder “${topics.given}” is not opened, since ${why}. If you made it so, name it with --topics-folder.`;
      leftOut.push({ root: topics.given, says });
      return withoutTopics(says);
    }
    const place = openedPlace(topics, { create: true, readOnly: false });
    const real = realPlaceOf({ name: topics.given, place });
    const earlier = taken.get(real) ?? (files !== undefined && real === realPathOf(files) ? "the project" : undefined);
    if (earlier !== undefined) {
      return withoutTopics(
        `There are no topics, since their folder “${topics.given}” is “${earlier}” as well. Give them a folder of their own with --topics-folder.`,
      );
    }
    const foreign = topics.isExternal ? undefined : findForeignFile({ values, origins });
    if (foreign !== undefined) {
      // Nothing is wrong unless something is to be stored there, so this is no warning.
      topicsError = new RecollectError(
        "NOT_ALLOWED",
        `The folder “${topics.given}” is left alone, since it holds files that are not Recollect's, such as “${foreign}”. Choose another folder for topics: put “memory_path: docs/memory” into recollect.yaml, or give --topics-folder. To use this folder all the same: “memory_path: ${topics.given}”.`,
        { data: { folder: topics.given, found: foreign } },
      );
      return undefined;
    }
    const name = freeName(topics.given, [...taken.values(), ...reservedNames]);
    add({ name, place, mounted: { name, policy: fullAccess } });
    return name;
  }

  /** That concerns the topics alone: everything else goes on. */
  function withoutTopics(message: string): undefined {
    topicsError = new RecollectError("NOT_ALLOWED", message);
    warnings.push(message);
  }

  /**
   * Agents' own files are opened by a store of their own. Where they lie in a root, they are out of its reach, also
   * while there are none yet (AGT-4): other processes make them.
   */
  function hideAgents(): void {
    const places = agentPlaces(values, dataFolder);
    const folders = places.flatMap((one) => folderOf(one) ?? []);
    // As configured, or where agents that were started with another setting have left their marker.
    const isOfAgents = (real: string) => isInAny(folders, real) || liesSealed(real);
    if (folders.some((one) => folders.some((other) => other !== one && isInside(other, one)))) throw agentsInAgents();
    for (const { name, place } of kept) {
      const folder = folderOf(place);
      if (folder === undefined ? isAgentSpace(places, place) : isOfAgents(realPathOf(folder))) throw amongAgents(name);
    }
    const outer = kept.flatMap(({ place }) => folderOf(place) ?? []).map(realPathOf);
    for (const folder of folders.filter((one) => isInAny(outer, one))) {
      const name = freeName("files of agents", [...taken.values()]);
      // Recovery, history and whoever lists conflicts leave what is plain to others, here to the agents' own store.
      const place = { ...toRootPlace({ folder }), create: false, readOnly: true, plain: true };
      add({ name, place, mounted: { name, policy: new Set(), isHidden: true } });
    }
  }

  /** Notes may be all that a project holds; its files are memories then, with all that this means. */
  function isMemories(folder: string): boolean {
    const name = taken.get(realPathOf(folder));
    return kept.some((one) => one.name === name && one.memories !== undefined);
  }
}

const reservedNames = [globalRoot, sealedRoot, agentRoot, agentFilesRoot, ...Object.values(bankRoots)];

function addBank(
  values: SettingValues,
  project: string | undefined,
  add: (candidate: Candidate) => void,
): BankAreas | undefined {
  const configured = values["bank.memory_path"];
  if (configured === undefined) return undefined;
  const name = values.project_name;
  if (name === undefined) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "The bank needs to know the project. Start in a project, or give --project or --project-name.",
    );
  }
  const [bank, templates] = [parseProjectName(name), bankRoots.templates].map((area) => areaIn(configured, area));
  if (!bank || !templates) return undefined;
  // Inside of the project, the areas of other projects would be files of this one.
  const base = configured.folder;
  if (base !== undefined && project !== undefined && isInside(realPathOf(project), realPathOf(base))) {
    const hidden = "base of the bank";
    add({
      name: hidden,
      place: { ...toRootPlace({ folder: base }), create: false, readOnly: true },
      mounted: { name: hidden, policy: new Set() },
    });
  }
  add({
    name: bankRoots.bank,
    place: openedPlace(bank, { create: true, readOnly: false }),
    mounted: { name: bankRoots.bank, policy: bankPolicies.bank },
  });
  add({
    name: bankRoots.templates,
    place: openedPlace(templates, { create: false, readOnly: true }),
    mounted: { name: bankRoots.templates, policy: bankPolicies.templates },
  });
  return { bank: spellingsOf(bank), templates: spellingsOf(templates) };
}

function isInAny(folders: readonly string[], real: string): boolean {
  return folders.some((folder) => isInside(folder, real));
}

/** The agent in whose folder others keep theirs would read them. */
function agentsInAgents(): RecollectError {
  const says =
    "The folder for the files of agents (--app-cache-dir) lies in that of another agent, who could read them, or around it. Give it a place elsewhere.";
  return new RecollectError("INVALID_ARGUMENT", says);
}

function amongAgents(name: string): RecollectError {
  const says = `“${name}” lies where agents keep files of their own, which nobody else may reach. Give it a place elsewhere, or the agents another one with --app-cache-dir.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { name } });
}

/** How tools name what lies there. A space has no path on any disk, and is named like one. */
function spellingsOf({ folder, space }: PlaceParts): readonly string[] {
  return folder === undefined ? [`/${space}`] : [...new Set([folder, realPathOf(folder)])];
}

function openedPlace(
  place: PlaceParts,
  { create, readOnly: isReadOnly }: { readonly create: boolean; readonly readOnly: boolean },
): Omit<PlacedRoot, "name"> {
  return { ...toRootPlace(place), create, readOnly: isReadOnly };
}

/** Where it really leads. What the system says of a loop, or of a folder that nobody may look into, holds host paths. */
function realPlaceOf({ name, place }: Pick<Candidate, "name" | "place">): string {
  try {
    const folder = folderOf(place);
    return folder === undefined ? placeText(place) : realPathOf(folder);
  } catch (error) {
    throw toStorageError(error, `look at the folder “${name}”`);
  }
}

/** A link in the place of an area would make another project's area, or anything else, look like it. */
function areaIn({ folder: base, space, backend }: ConfiguredPlace, name: string): PlaceParts {
  if (base === undefined) return { backend, space: `${space}/${name}` };
  const area = join(base, name);
  if (realPathOf(area) === join(realPathOf(base), name)) return { folder: area };
  throw new RecollectError("NOT_ALLOWED", `“${name}” in the bank is a link. Put an ordinary folder there.`, {
    data: { name },
  });
}

/** Read-only patterns are about names of memories, `global/…` among them (MEM-12); undefined where there are none. */
function protectionOf(patterns: readonly string[]): ((path: ExistingPath, isGlobal: boolean) => boolean) | undefined {
  if (patterns.length === 0) return undefined;
  return (path, isGlobal) => {
    const name = nameOfPath(path, isGlobal) ?? path;
    return patterns.some((pattern) => matchesGlob(pattern, name));
  };
}

/** A root's name is the folder as it was written; one that means something else here gets a dot in front. */
function freeName(given: string, taken: readonly string[]): string {
  return taken.includes(given) ? freeName(`./${given}`, taken) : given;
}

/** What keeps a folder from being there at all: a file where one of the folders above it should be. */
function fileAbove(path: string): string | undefined {
  const above = dirname(path);
  if (above === path) return undefined;
  try {
    const stat = statSync(above, { throwIfNoEntry: false });
    if (stat) return stat.isDirectory() ? undefined : above;
  } catch (error) {
    if (!hasCode(error, "ENOTDIR")) return undefined;
  }
  return fileAbove(above);
}

/** One that we could look into. A link that goes round in circles is none, and one closed to us would close all others. */
function isFolder(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, "ELOOP", "EACCES", "EPERM", "ENAMETOOLONG")) return false;
    throw error;
  }
}
