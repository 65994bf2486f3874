import { accessSync, constants, statSync } from "node:fs";
import { basename, join } from "node:path";
import { bankPolicies, bankRoots, parseProjectName } from "../bank/bank-roots.ts";
import type { BankAreas } from "../bank/locate-path.ts";
import type { ExistingPath } from "../core/document-path.ts";
import { RecollectError } from "../core/errors.ts";
import { matchesGlob } from "../core/glob.ts";
import type { MountedRoot } from "../core/mounted-roots.ts";
import { fullAccess, readOnly } from "../core/root-policy.ts";
import type { MemoryFolder } from "../memories/memory-folder.ts";
import { nameOfPath } from "../memories/memory-name.ts";
import type { RootFolderOptions } from "../stores/files/root-folders.ts";
import { hasCode, toStorageError } from "../stores/files/storage-error.ts";
import { isInside, realPathOf, whyOutside } from "./real-path.ts";
import type { ResolvedSettings } from "./resolve-settings.ts";
import type { SettingValues } from "./settings.ts";
import type { TopicsFolder } from "./topics-folder.ts";

/** What a configuration opens: folders for the store, policies for the documents, folders for the memories. */
export interface RootPlan {
  /** Whether the project's own files can be reached. */
  readonly hasProject: boolean;
  readonly folders: readonly RootFolderOptions[];
  readonly mounted: readonly Omit<MountedRoot, "store">[];
  readonly memoryFolders: readonly MemoryFolder[];
  readonly areas: BankAreas | undefined;
  /** The root of the topics; undefined also where `topicsError` says why. */
  readonly topics: string | undefined;
  readonly topicsError: RecollectError | undefined;
  readonly warnings: readonly string[];
}

interface Candidate {
  readonly folder: RootFolderOptions;
  readonly mounted: Omit<MountedRoot, "store">;
  readonly memories?: Omit<MemoryFolder, "root">;
}

const globalRoot = "global";

/** One folder is one root, whatever roles it was given: the first one counts, and the user is told of the others. */
export function planRoots(
  { values, origins }: ResolvedSettings,
  {
    project,
    files,
    topics,
  }: {
    readonly project: string | undefined;
    /** Where the project's own files lie: in a worktree that shares its memories, not where those are. */
    readonly files: string | undefined;
    readonly topics: TopicsFolder | undefined;
  },
): RootPlan {
  const taken = new Map<string, string>();
  const kept: Candidate[] = [];
  const warnings: string[] = [];
  const isProtected = protectionOf(values["memories.read_only"]);

  function add(candidate: Candidate): void {
    const real = realPlaceOf(candidate.folder);
    const earlier = taken.get(real);
    if (earlier === undefined) {
      taken.set(real, candidate.folder.name);
      kept.push(candidate);
      return;
    }
    if (!candidate.memories) {
      throw new RecollectError(
        "INVALID_ARGUMENT",
        `The ${candidate.folder.name} and “${earlier}” are the same folder. Give each a folder of its own.`,
      );
    }
    warnings.push(`The folder “${candidate.folder.name}” is “${earlier}” once more, and is left out.`);
  }

  const memoryRoot = (
    given: { readonly name: string; readonly folder: string; readonly create: boolean },
    about: Omit<MemoryFolder, "root" | "baseName">,
  ): Candidate => ({
    folder: { ...given, readOnly: about.readOnly },
    mounted: {
      name: given.name,
      policy: about.readOnly ? readOnly : fullAccess,
      protects: (path) => isProtected(path, about.kind === "global"),
    },
    memories: { ...about, baseName: basename(given.folder), path: given.folder },
  });

  if (project !== undefined) {
    const { given, folder } = values["memories.folder"];
    // A clone can bring `.serena` as a link to anywhere: only the user may lead out of the project.
    const why = origins["memories.folder"].source === "default" ? whyOutside(project, folder) : undefined;
    if (why === undefined) {
      add(
        memoryRoot(
          { name: freeName(given, reservedNames), folder, create: true },
          { kind: "primary", readOnly: false },
        ),
      );
    } else {
      warnings.push(
        `The folder “${given}” is not opened, since ${why}. If you made it so, name it with --memories-folder or in your own settings file.`,
      );
    }
  }
  for (const { given, folder, readOnly: isReadOnly } of values["memories.additional_folders"]) {
    if (isFolder(folder)) {
      const name = freeName(given, [...taken.values(), ...reservedNames]);
      add(memoryRoot({ name, folder, create: false }, { kind: "additional", readOnly: isReadOnly }));
    } else {
      warnings.push(
        `The folder “${given}” does not exist or cannot be opened, and is left out. Make it, or take it out of the settings.`,
      );
    }
  }
  const isWritable = values["memories.global_writable"];
  const globalFolder = values["memories.global_folder"].folder;
  if (isWritable || isFolder(globalFolder)) {
    const given = { name: globalRoot, folder: globalFolder, create: isWritable };
    add(memoryRoot(given, { kind: "global", readOnly: !isWritable }));
  }
  const areas = addBank(values, project, add);
  let topicsError: RecollectError | undefined;
  const topicsRoot = addTopics();
  const hasProject = files !== undefined && !isMemories(files);
  if (hasProject) {
    add({
      folder: { name: bankRoots.project, folder: files, create: false, plain: true },
      mounted: { name: bankRoots.project, policy: bankPolicies.project, naming: "any", isUnguarded: true },
    });
  } else if (files !== undefined && values.tools.includes("files")) {
    warnings.push("The project is itself a folder of memories, so read_file and its like do not reach its files.");
  }
  return {
    folders: kept.map(({ folder }) => folder),
    mounted: kept.map(({ mounted }) => mounted),
    memoryFolders: kept.flatMap(({ folder, memories }) => (memories ? [{ root: folder.name, ...memories }] : [])),
    areas,
    topics: topicsRoot,
    topicsError,
    hasProject,
    warnings,
  };

  function addTopics(): string | undefined {
    if (!topics) return undefined;
    const isDefault = !topics.isExternal && origins.memory_path.source === "default";
    const why = isDefault && project !== undefined ? whyOutside(project, topics.folder) : undefined;
    if (why !== undefined) {
      return withoutTopics(
        `The folder “${topics.given}” is not opened, since ${why}. If you made it so, name it with --topics-folder.`,
      );
    }
    const real = realPlaceOf({ name: topics.given, folder: topics.folder });
    const earlier = taken.get(real) ?? (files !== undefined && real === realPathOf(files) ? "the project" : undefined);
    if (earlier !== undefined) {
      return withoutTopics(
        `There are no topics, since their folder “${topics.given}” is “${earlier}” as well. Give them a folder of their own with --topics-folder.`,
      );
    }
    const name = freeName(topics.given, [...taken.values(), ...reservedNames]);
    add({ folder: { name, folder: topics.folder, create: true }, mounted: { name, policy: fullAccess } });
    return name;
  }

  /** That concerns the topics alone: everything else goes on. */
  function withoutTopics(message: string): undefined {
    topicsError = new RecollectError("NOT_ALLOWED", message);
    warnings.push(message);
  }

  /** Notes may be all that a project holds; its files are memories then, with all that this means. */
  function isMemories(folder: string): boolean {
    const name = taken.get(realPathOf(folder));
    return kept.some(({ folder: one, memories }) => one.name === name && memories !== undefined);
  }
}

const reservedNames = [globalRoot, ...Object.values(bankRoots)];

function addBank(
  values: SettingValues,
  project: string | undefined,
  add: (candidate: Candidate) => void,
): BankAreas | undefined {
  const base = values["bank.memory_path"]?.folder;
  if (base === undefined) return undefined;
  const name = values.project_name;
  if (name === undefined) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "The bank needs to know the project. Start in a project, or give --project or --project-name.",
    );
  }
  const bank = areaIn(base, parseProjectName(name));
  const templates = areaIn(base, bankRoots.templates);
  // Inside of the project, the areas of other projects would be files of this one.
  if (project !== undefined && isInside(realPathOf(project), realPathOf(base))) {
    add({
      folder: { name: "base of the bank", folder: base, create: false, readOnly: true },
      mounted: { name: "base of the bank", policy: new Set() },
    });
  }
  add({
    folder: { name: bankRoots.bank, folder: bank, create: true },
    mounted: { name: bankRoots.bank, policy: bankPolicies.bank },
  });
  add({
    folder: { name: bankRoots.templates, folder: templates, create: false, readOnly: true },
    mounted: { name: bankRoots.templates, policy: bankPolicies.templates },
  });
  const spellings = (folder: string) => [...new Set([folder, realPathOf(folder)])];
  return { bank: spellings(bank), templates: spellings(templates) };
}

/** Where it really leads. What the system says of a loop, or of a folder that nobody may look into, holds host paths. */
function realPlaceOf({ name, folder }: RootFolderOptions): string {
  try {
    return realPathOf(folder);
  } catch (error) {
    throw toStorageError(error, `look at the folder “${name}”`);
  }
}

/** A link in the place of an area would make another project's area, or anything else, look like it. */
function areaIn(base: string, name: string): string {
  const area = join(base, name);
  if (realPathOf(area) === join(realPathOf(base), name)) return area;
  throw new RecollectError("NOT_ALLOWED", `“${name}” in the bank is a link. Put an ordinary folder there.`, {
    data: { name },
  });
}

/** Read-only patterns are about names of memories, `global/…` among them (MEM-12). */
function protectionOf(patterns: readonly string[]): (path: ExistingPath, isGlobal: boolean) => boolean {
  return (path, isGlobal) => {
    const name = nameOfPath(path, isGlobal) ?? path;
    return patterns.some((pattern) => matchesGlob(pattern, name));
  };
}

/** A root's name is the folder as it was written; one that means something else here gets a dot in front. */
function freeName(given: string, taken: readonly string[]): string {
  return taken.includes(given) ? freeName(`./${given}`, taken) : given;
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
