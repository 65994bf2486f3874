import {
  type Access,
  diagnose,
  type Finding,
  indexPath,
  isRecollectError,
  nameOfPath,
  originalOfConflict,
  type Session,
  type SessionRoot,
  type Workspace,
} from "../../../app.ts";
import { type Cached, createBackgroundCache } from "../background-cache.ts";
import type { ApiOverview } from "../contract/overview.ts";
import { type AuthorShare, authorsOf, daysOf, type Growth, readGrowth, recentCount } from "./growth.ts";
import { countDocuments, type RootFigures, sizesIn, sizesOfAgent } from "./root-figures.ts";

/** The first page of the dashboard: what there is, what was learned lately and by whom, and what is recalled most. */
interface Overview extends Omit<ApiOverview, "authors" | "health"> {
  readonly authors: readonly AuthorShare[];
}

export interface Overviews {
  of(session: Pick<Session, "roots" | "agent">): Promise<Overview>;
  /** What `doctor` finds, problems first; undefined while it is looking. */
  health(): Promise<readonly Finding[] | undefined>;
}

/** Longer than this nobody waits for a first look. */
const usualPatienceMs = 250;
const shownRecalled = 10;

interface Counted {
  readonly root: SessionRoot;
  readonly figures: RootFigures | undefined;
  readonly growth: Growth | undefined;
  readonly recalled: readonly Access[];
  readonly partial: ApiOverview["partial"];
  readonly warnings: readonly string[];
}

/** What is counted of a root is the same for everybody who may read it, and kept for all of them. */
export function createOverviews(
  workspace: Workspace,
  { now = Date.now, patienceMs = usualPatienceMs }: { readonly now?: () => number; readonly patienceMs?: number } = {},
): Overviews {
  const figures = createBackgroundCache<RootFigures>({ now, patienceMs });
  const growths = createBackgroundCache<Growth>({ now, patienceMs });
  /** Git is asked for it, and it is the same for everybody who may read the topics. */
  const unsettled = createBackgroundCache<number>({ now, patienceMs });
  const health = createBackgroundCache<readonly Finding[]>({ now, patienceMs });

  async function count(root: SessionRoot, agent: Session["agent"]): Promise<Counted> {
    const ownAgent = root.kind === "agent" ? agent : undefined;
    const place = ownAgent ? `${root.name}/${ownAgent.agentId}` : root.name;
    const isCounted = (path: string) => isMemory(root, path);
    const list = ownAgent ? sizesOfAgent(ownAgent) : sizesIn(workspace.documents, root.name);
    const grow = readGrowth({
      log: async (request) => workspace.history.log(request),
      root: root.name,
      isCounted,
      now,
    });
    const [held, grown] = await Promise.all([
      attempt(figures.get(place, countDocuments(list, isCounted))),
      root.hasHistory ? attempt(growths.get(root.name, grow)) : undefined,
    ]);
    return {
      root,
      figures: held.value,
      growth: grown?.value,
      recalled: workspace.recalled.list(place),
      partial: [
        ...(held.isPartial ? (["documents"] as const) : []),
        ...(grown?.isPartial ? (["growth"] as const) : []),
      ],
      warnings: [
        held.warning,
        grown?.warning,
        held.value?.isCut ? `“${root.name}” has more documents than are counted here.` : undefined,
        grown?.value?.isCut
          ? `“${root.name}” has more changes than are counted here; older days show too few.`
          : undefined,
      ].filter((one) => one !== undefined),
    };
  }

  return {
    of: async ({ roots, agent }) => {
      const seen = roots.filter(({ operations }) => operations.has("read") && operations.has("list"));
      const seesTopics = seen.some(({ kind }) => kind === "topics");
      const [counted, left] = await Promise.all([
        Promise.all(seen.map((root) => count(root, agent))),
        seesTopics
          ? attempt(unsettled.get("all", async () => (await (await workspace.conflicts()).unsettled()).length))
          : undefined,
      ]);
      const operations = counted.flatMap(({ growth }) => growth?.operations ?? []);
      const documents = counted.reduce((all, one) => all + (one.figures?.paths.size ?? 0), 0);
      return {
        documents,
        bytes: counted.reduce((all, one) => all + (one.figures?.bytes ?? 0), 0),
        recent: counted
          .flatMap(({ growth }) => growth?.recent ?? [])
          .sort((one, other) => Number(one.time < other.time) - Number(one.time > other.time))
          .slice(0, recentCount),
        growth: daysOf(operations, documents, now()),
        authors: authorsOf(operations),
        mostRecalled: counted
          .flatMap(({ root, figures, recalled }) =>
            recalled.filter(({ path }) => figures?.paths.has(path) ?? true).map((one) => ({ ...one, root: root.name })),
          )
          .sort((one, other) => other.count - one.count)
          .slice(0, shownRecalled),
        neverRecalled: neverRecalled(counted),
        conflicts: counted.reduce((all, one) => all + conflictsIn(one), left?.value ?? 0),
        partial: [
          ...new Set(counted.flatMap((one) => one.partial)),
          ...(left?.isPartial ? (["conflicts"] as const) : []),
        ],
        warnings: [...new Set([...counted.flatMap((one) => one.warnings), ...(left?.warning ? [left.warning] : [])])],
      };
    },
    health: async () => {
      const { value } = await health.get("all", async () => (await workspace.diagnose()) ?? diagnose(workspace));
      return value?.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
    },
  };
}

const levels = ["problem", "note", "fine"] as const;

/** What can be recalled: not what is made of other documents, nor what is no note. */
function isMemory({ kind }: SessionRoot, path: string): boolean {
  if (kind === "memories" || kind === "global") return nameOfPath(path, kind === "global") !== undefined;
  return kind !== "topics" || (path.endsWith(".md") && path !== indexPath);
}

/** A root that fails, such as one without git, hides nothing of the others. */
async function attempt<Value>(work: Promise<Cached<Value>>): Promise<Cached<Value> & { readonly warning?: string }> {
  try {
    return await work;
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return { value: undefined, isPartial: false, warning: error.message };
  }
}

function neverRecalled(counted: readonly Counted[]): Overview["neverRecalled"] {
  const examples: { root: string; path: string }[] = [];
  let count = 0;
  for (const { root, figures, recalled } of counted) {
    const known = new Set(recalled.map(({ path }) => path));
    for (const path of figures?.paths ?? []) {
      if (known.has(path)) continue;
      count += 1;
      if (examples.length < shownRecalled) examples.push({ root: root.name, path });
    }
  }
  return { count, examples };
}

function conflictsIn({ root, figures }: Counted): number {
  if (root.kind === "agent") return 0;
  return [...(figures?.paths ?? [])].filter((path) => originalOfConflict(path) !== undefined).length;
}
