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
} from "../../../index.ts";
import { createRefreshed, type Refreshed } from "../refreshed.ts";
import { type AuthorShare, createGrowth, growthDates, type RecentOperation, type RootGrowth, sum } from "./growth.ts";
import { createRootFigures, type RootFigures, sizesIn, sizesOfAgent } from "./root-figures.ts";

/** What is still being counted: ask again in a moment. */
export type OverviewPart = "documents" | "growth" | "conflicts" | "health";

/** What somebody should see first: what there is, what was learned lately and by whom, and what is of use. */
export interface Overview {
  readonly documents: number;
  readonly bytes: number;
  readonly recent: readonly RecentOperation[];
  /** The last days, oldest first. */
  readonly growth: readonly { readonly date: string; readonly documents: number; readonly changes: number }[];
  /** Most first. */
  readonly authors: readonly ({ readonly author: string } & AuthorShare)[];
  readonly mostRecalled: readonly (Access & { readonly root: string })[];
  readonly neverRecalled: {
    readonly count: number;
    readonly examples: readonly { readonly root: string; readonly path: string }[];
  };
  /** How much merges left for a person to decide: documents beside others, and what syncs decided meanwhile. */
  readonly conflicts: number;
  readonly partial: readonly OverviewPart[];
  readonly warnings: readonly string[];
}

export interface Overviews {
  of(session: Pick<Session, "roots" | "agent">): Promise<Overview>;
  /** What `doctor` finds, problems first; undefined while it is looking. */
  health(): Promise<readonly Finding[] | undefined>;
}

/** Longer than this nobody waits for a first look. */
const usualPatienceMs = 250;
const mostAgents = 64;
const shownRecalled = 10;

interface Counted {
  readonly root: SessionRoot;
  readonly figures: RootFigures | undefined;
  readonly growth: RootGrowth | undefined;
  readonly recalled: readonly Access[];
  readonly partial: readonly OverviewPart[];
  readonly warnings: readonly string[];
}

/** What is counted of a root is the same for everybody who may read it, and kept for all of them. */
export function createOverviews(
  workspace: Workspace,
  { now = Date.now, patienceMs = usualPatienceMs }: { readonly now?: () => number; readonly patienceMs?: number } = {},
): Overviews {
  const figures = new Map<string, Refreshed<RootFigures>>();
  const growths = new Map<string, Refreshed<RootGrowth>>();
  const agents = new Map<string, Refreshed<RootFigures>>();
  /** Git is asked for it, and it is the same for everybody who may read the topics. */
  const unsettled = createRefreshed({
    now,
    make: async () => (await (await workspace.conflicts()).unsettled()).length,
  });
  const health = createRefreshed({ now, make: async () => (await workspace.diagnose()) ?? diagnose(workspace) });

  function figuresOf(root: SessionRoot, agent: Session["agent"]): Refreshed<RootFigures> {
    const isCounted = (path: string) => isMemory(root, path);
    if (root.kind !== "agent" || !agent) {
      const list = sizesIn(workspace.documents, root.name);
      return kept(figures, root.name, () => createRootFigures({ list, isCounted, now }));
    }
    const [oldest] = agents.keys();
    if (agents.size >= mostAgents && oldest !== undefined && !agents.has(agent.agentId)) agents.delete(oldest);
    return kept(agents, agent.agentId, () => createRootFigures({ list: sizesOfAgent(agent), isCounted, now }));
  }

  function growthOf(root: SessionRoot): Refreshed<RootGrowth> {
    return kept(growths, root.name, () =>
      createGrowth({
        log: async (request) => (await workspace.history()).log(request),
        root: root.name,
        isCounted: (path) => isMemory(root, path),
        now,
      }),
    );
  }

  async function count(root: SessionRoot, agent: Session["agent"]): Promise<Counted> {
    const [held, grown] = await Promise.all([
      attempt(figuresOf(root, agent).get(patienceMs)),
      root.hasHistory ? attempt(growthOf(root).get(patienceMs)) : undefined,
    ]);
    const ledgerRoot = root.kind === "agent" && agent ? `${root.name}/${agent.agentId}` : root.name;
    return {
      root,
      figures: held.value,
      growth: grown?.value,
      recalled: workspace.recalled.list(ledgerRoot),
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
        seesTopics ? attempt(unsettled.get(patienceMs)) : undefined,
      ]);
      const growth = sum(...counted.flatMap((one) => one.growth ?? []));
      const documents = counted.reduce((all, one) => all + (one.figures?.paths.size ?? 0), 0);
      return {
        documents,
        bytes: counted.reduce((all, one) => all + (one.figures?.bytes ?? 0), 0),
        recent: growth.recent,
        growth: daysOf(growth, documents, now()),
        authors: [...growth.authors]
          .map(([author, share]) => ({ author, ...share }))
          .sort((one, other) => other.changes - one.changes || (one.author < other.author ? -1 : 1)),
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
      const { value } = await health.get(patienceMs);
      return value?.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
    },
  };
}

const levels = ["problem", "note", "fine"] as const;

function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** What can be recalled: not what is made of other documents, nor what is no note. */
function isMemory({ kind }: SessionRoot, path: string): boolean {
  if (kind === "memories" || kind === "global") return nameOfPath(path, kind === "global") !== undefined;
  return kind !== "topics" || (path.endsWith(".md") && path !== indexPath);
}

/** A root that fails, such as one without git, hides nothing of the others. */
async function attempt<Value>(
  work: Promise<{ readonly value: Value | undefined; readonly isPartial: boolean }>,
): Promise<{ readonly value: Value | undefined; readonly isPartial: boolean; readonly warning?: string }> {
  try {
    return await work;
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return { value: undefined, isPartial: false, warning: error.message };
  }
}

/** From what there is now, back day by day; of a root without history nobody knows that it was ever otherwise. */
function daysOf(growth: RootGrowth, documentsNow: number, now: number): Overview["growth"] {
  let documents = documentsNow;
  return growthDates(now)
    .toReversed()
    .map((date) => {
      const day = growth.days.get(date);
      const shown = { date, documents: Math.max(0, documents), changes: day?.changes ?? 0 };
      documents -= day?.added ?? 0;
      return shown;
    })
    .toReversed();
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
