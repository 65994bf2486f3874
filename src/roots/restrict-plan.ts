import { RecollectError } from "../kernel/errors.ts";
import type { MountedRoot } from "../kernel/mounted-roots.ts";
import type { RootPolicy } from "../kernel/root-policy.ts";
import { bankRoots } from "../notes/bank/bank-roots.ts";
import type { BankAreas } from "../notes/bank/locate-path.ts";
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
    roots: plan.roots.filter(({ name }) => sees(name)),
    folders: plan.folders.filter(({ name }) => sees(name)),
    memoryFolders: plan.memoryFolders
      .filter(({ root }) => sees(root))
      .map((folder) => ({ ...folder, readOnly: folder.readOnly || policies.get(folder.root)?.has("write") !== true })),
    areas: plan.areas && restrictAreas(plan.areas, sees),
    topics: isTopics ? plan.topics : undefined,
    topicsError: isTopics || plan.topics === undefined ? plan.topicsError : undefined,
    hasProject: plan.hasProject && sees(bankRoots.project),
    noNewNotes: whyNoNewNotes({ mounted, memoryFolders: plan.memoryFolders }),
  };
}

/**
 * A name is looked up in every folder of the project's notes. One that is made without seeing all of them could take the
 * place of a note that its maker cannot see, for every other reader. What is there never decides it, only what was
 * granted: otherwise the refusal would tell what is hidden. The same for every file of theirs, since some disks take
 * several spellings for one name.
 */
function whyNoNewNotes({ mounted, memoryFolders }: Pick<RootPlan, "mounted" | "memoryFolders">) {
  const lookedUp = new Set(memoryFolders.filter(({ kind }) => kind !== "global").map(({ root }) => root));
  const isListed = ({ policy }: Pick<MountedRoot, "policy">) => policy.has("list") && policy.has("read");
  return mounted.every((root) => !lookedUp.has(root.name) || isListed(root)) ? undefined : mayHideAnother();
}

function mayHideAnother(): RecollectError {
  const says =
    "This credential changes notes, but makes none: it cannot see every folder of notes, and a new name could hide a note there. Add the scope *:read to it.";
  return new RecollectError("NOT_ALLOWED", says, { data: { advised: true } });
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
