import { join } from "node:path";
import { RecollectError } from "../../kernel/errors.ts";
import { agentRoot } from "../../notes/agents/agent-root.ts";
import { bankRoots, parseProjectName } from "../../notes/bank/bank-roots.ts";
import { realPathOf, whyOutside } from "../../settings/real-path.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";
import { type ConfiguredPlace, spacePlace } from "../../settings/setting-types.ts";
import { type SettingKey, settingOf } from "../../settings/settings.ts";

export type MigrationDirection = "to-postgres" | "to-files";

/** A root in both its places: the folder that it lies in without a database, and its space in one. */
export interface RootPair {
  /** What it holds. */
  readonly name: string;
  readonly folder: string;
  readonly space: string;
  /** What to do so that the other place is used afterwards; undefined where that needs nothing. */
  readonly next?: string | undefined;
}

export interface LeftOutRoot {
  readonly name: string;
  readonly why: string;
}

export interface MigrationPlan {
  readonly pairs: readonly RootPair[];
  /** Where each agent has a folder, and a space. */
  readonly agents: RootPair;
  readonly leftOut: readonly LeftOutRoot[];
}

interface PlanContext {
  readonly project: string | undefined;
  readonly cwd: string;
  readonly home: string;
  readonly dataFolder: string;
}

type PlacedKey = "memories.folder" | "memories.global_folder" | "memory_path" | "agent.app_cache_dir";

/** Which folders and spaces belong together, by the settings and their defaults with and without a database. */
export function planMigration(
  { values, origins }: ResolvedSettings,
  direction: MigrationDirection,
  context: PlanContext,
): MigrationPlan {
  const { project } = context;
  const pairs: RootPair[] = [];
  const leftOut: LeftOutRoot[] = [];
  const isGiven = (key: SettingKey) => origins[key].source !== "default";

  function pairOf(name: string, key: PlacedKey, part: string): RootPair {
    const place: ConfiguredPlace = values[key];
    const folder = place.folder ?? folderByDefault(key, context);
    const space = place.space ?? `${values["database.space"]}/${part}`;
    const goal = direction === "to-postgres" ? spacePlace(space) : folder;
    const isUsed = direction === "to-postgres" ? place.space !== undefined : place.folder !== undefined;
    return { name, folder, space, ...(isUsed || !isGiven(key) ? {} : { next: `Then set ${key} to ${goal}.` }) };
  }

  function add(pair: RootPair, why: string | undefined): void {
    if (why === undefined) pairs.push(pair);
    else leftOut.push({ name: pair.name, why });
  }

  /** A clone can bring a link to anywhere in the place of a default folder. */
  function whyNot(key: PlacedKey, { folder }: RootPair): string | undefined {
    const isThere = direction === "to-postgres" && isGiven(key) && values[key].space !== undefined;
    if (isThere) return `it lies in ${values[key].given} already`;
    if (values[key].folder !== undefined && isGiven(key)) return undefined;
    return project === undefined ? "there is no project here" : whyOutside(project, folder);
  }

  const memories = pairOf("memories", "memories.folder", "memories");
  add(memories, whyNot("memories.folder", memories));
  const topics = pairOf("topics", "memory_path", "topics");
  const isExternal = values["memory_configuration.external_memory_enabled"];
  add(topics, isExternal ? "they lie in an external memory" : whyNot("memory_path", topics));
  add(pairOf("global", "memories.global_folder", "global"), undefined);
  for (const { given } of values["memories.additional_folders"]) {
    leftOut.push({ name: given, why: "an additional folder stays where it is" });
  }
  addBank();
  return { pairs, agents: pairOf("agents", "agent.app_cache_dir", "agents"), leftOut };

  function addBank(): void {
    const base = values["bank.memory_path"];
    if (base === undefined) return;
    if (base.folder === undefined) {
      const why =
        direction === "to-postgres" ? `it lies in ${base.given} already` : "it has no folder: give --memory-path";
      leftOut.push({ name: "bank", why });
      return;
    }
    const space = `${values["database.space"]}/bank`;
    const next = direction === "to-postgres" ? `Then set bank.memory_path to ${spacePlace(space)}.` : undefined;
    for (const [name, area] of Object.entries(bankAreas(values.project_name))) {
      add({ name, folder: areaIn(base.folder, area), space: `${space}/${area}`, next }, undefined);
    }
  }
}

function bankAreas(projectName: string | undefined): Readonly<Record<string, string>> {
  const own = projectName === undefined ? {} : { [bankRoots.bank]: parseProjectName(projectName) };
  return { ...own, [bankRoots.templates]: bankRoots.templates };
}

/** A link in the place of an area would make another project's area, or anything else, look like it. */
function areaIn(base: string, name: string): string {
  const area = join(base, name);
  if (realPathOf(area) === join(realPathOf(base), name)) return area;
  throw new RecollectError("NOT_ALLOWED", `“${name}” in the bank is a link. Put an ordinary folder there.`);
}

/** Where it would lie if no database was configured. */
function folderByDefault(key: PlacedKey, { project, cwd, home, dataFolder }: PlanContext): string {
  const { default: made, type } = settingOf(key);
  const nothing = { isSet: () => false, given: () => undefined, isLocalModelEnabled: () => false };
  const raw: unknown = typeof made === "function" ? made({ project, dataFolder, ...nothing }) : made;
  const { folder } = type.toValue(raw, { home, folder: project ?? cwd }) as ConfiguredPlace;
  if (folder === undefined) throw new RangeError(`${key} lies in no folder by default.`);
  return folder;
}

/** Where each agent has a place right below. */
export function agentsOf({ folder, space }: RootPair): Pick<RootPair, "folder" | "space"> {
  return { folder: join(folder, agentRoot), space };
}

/** Of one agent, in both places. */
export function pairOfAgent(agents: RootPair, id: string): RootPair {
  const { folder, space } = agentsOf(agents);
  return { name: `agents/${id}`, folder: join(folder, id), space: `${space}/${id}`, next: agents.next };
}
