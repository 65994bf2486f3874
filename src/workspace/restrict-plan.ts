import { bankRoots } from "../bank/bank-roots.ts";
import type { BankAreas } from "../bank/locate-path.ts";
import type { MountedRoot } from "../core/mounted-roots.ts";
import type { RootPolicy } from "../core/root-policy.ts";
import type { RootPlan } from "./mount-roots.ts";

/** What somebody may do in each root; one that is missing does not exist for them. */
export type Grants = ReadonlyMap<string, RootPolicy>;

/** The plan as somebody sees it who may not do everything: never more than the configuration allows. */
export function restrictPlan(plan: RootPlan, grants: Grants | undefined): RootPlan {
  if (!grants) return plan;
  const mounted = plan.mounted.map((root) => restrictRoot(root, grants));
  const policies = new Map(mounted.map(({ name, policy }) => [name, policy]));
  const sees = (root: string) => policies.get(root)?.has("read") === true;
  const isTopics = plan.topics !== undefined && sees(plan.topics);
  return {
    ...plan,
    mounted,
    folders: plan.folders.filter(({ name }) => sees(name)),
    spaces: plan.spaces.filter(({ name }) => sees(name)),
    memoryFolders: plan.memoryFolders
      .filter(({ root }) => sees(root))
      .map((folder) => ({ ...folder, readOnly: folder.readOnly || policies.get(folder.root)?.has("write") !== true })),
    areas: plan.areas && restrictAreas(plan.areas, sees),
    topics: isTopics ? plan.topics : undefined,
    topicsError: isTopics || plan.topics === undefined ? plan.topicsError : undefined,
    hasProject: plan.hasProject && sees(bankRoots.project),
  };
}

/** One that is hidden has no paths; without any there is no bank. */
function restrictAreas(areas: BankAreas, sees: (root: string) => boolean): BankAreas | undefined {
  const seen = {
    bank: sees(bankRoots.bank) ? areas.bank : [],
    templates: sees(bankRoots.templates) ? areas.templates : [],
  };
  return seen.bank.length + seen.templates.length > 0 ? seen : undefined;
}

/** Also a hidden root stays mounted: where it lies in another one, what is in it must not be taken for that one's. */
function restrictRoot(root: RootPlan["mounted"][number], grants: Grants): Omit<MountedRoot, "store"> {
  const granted = grants.get(root.name);
  if (!granted?.has("read")) return { ...root, policy: new Set(), isHidden: true };
  return { ...root, policy: root.policy.intersection(granted) };
}
