import type { Conflicts } from "../history/conflicts/conflicts.ts";
import type { MemoryHistory } from "../history/service/view-history.ts";
import type { WorkspaceHistory } from "../history/service/workspace-history.ts";
import type { ContentGuard } from "../kernel/content-guard.ts";
import { parseDocumentPath } from "../kernel/document-path.ts";
import { createDocuments, type Documents, type Limits } from "../kernel/documents.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { fullAccess, type RootPolicy } from "../kernel/root-policy.ts";
import type { Outcome, Stamp, Store } from "../kernel/store.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { type Bank, createBank } from "../notes/bank/bank.ts";
import { bankRoots } from "../notes/bank/bank-roots.ts";
import type { BankAreas } from "../notes/bank/locate-path.ts";
import { createMemories, type Memories } from "../notes/memories/memories.ts";
import type { MemoryFolder } from "../notes/memories/memory-folder.ts";
import { refuseShadows } from "../notes/memories/refuse-shadows.ts";
import type { RegexRunner } from "../notes/memories/regex-runner.ts";
import { createRecords, type Records } from "../notes/records/records.ts";
import type { TopicContext } from "../notes/topics/change-topic.ts";
import type { Topics } from "../notes/topics/topics.ts";
import { createNameOf, type NameOf } from "../roots/document-names.ts";
import { historyRoots } from "../roots/history-roots.ts";
import type { RootPlan } from "../roots/mount-roots.ts";
import { type Grants, restrictPlan } from "../roots/restrict-plan.ts";
import type { Search } from "../search/search.ts";
import type { WorkspaceSearch } from "../search/service/workspace-search.ts";
import type { MemorySync } from "../sync/service/workspace-sync.ts";
import type { AgentMemoryService } from "./agent-memory-service.ts";

/** Who works in a workspace, and what they may do there. */
export interface Bearer {
  /** As history names them: `person:ada`, `agent:builder-7`. */
  readonly author: string;
  /** What this run is called in history, so that all that it did can be undone. */
  readonly run?: string | undefined;
  /** The agent whose own files they are given, and no other's (AGT-4). */
  readonly agentId?: string | undefined;
  /** What they may do; undefined for all that the configuration allows. */
  readonly grants?: Grants | undefined;
}

export type SessionRootKind = "memories" | "global" | "topics" | "bank" | "templates" | "agent";

/** A root as a bearer sees it. */
export interface SessionRoot {
  readonly name: string;
  readonly kind: SessionRootKind;
  readonly operations: RootPolicy;
  readonly hasHistory: boolean;
}

/**
 * A workspace as one bearer sees it. Whoever serves several gives each a session of their own: what a bearer may not
 * see answers like what does not exist, and what they do carries their name.
 */
export interface Session {
  readonly bearer: Bearer;
  /** The roots that hold memory, not the project's own files. */
  readonly roots: readonly SessionRoot[];
  readonly stamp: Stamp;
  readonly documents: Documents;
  readonly memories: Memories;
  readonly memoryFolders: readonly MemoryFolder[];
  /** The files of the project and of its central memory. */
  readonly bank: Bank;
  /** The absolute paths of the bank's areas; undefined without `bank.memory_path`. */
  readonly bankAreas: BankAreas | undefined;
  /** Each method throws where there is no folder for them, or the external one failed and may not be replaced. */
  readonly topics: Topics;
  /** The root of the topics, as addresses and history name it. */
  readonly topicsRoot: string | undefined;
  /** What every answer about topics says until the external memory works again. */
  readonly topicsWarning: string | undefined;
  /** Notes and lessons by any name that a surface printed; without lessons where the caller serves none. */
  records(which?: { readonly withLessons: boolean }): Records;
  /** Search over all memories, topics, the bank and the agent's files; loaded when it is first asked. */
  readonly search: Search;
  /** What was, in every folder that can be written; loaded when it is first asked. Needs git. */
  readonly history: MemoryHistory;
  /** What surfaces call a document. */
  readonly nameOf: NameOf;
  /** What merges left beside documents for a person to decide. */
  conflicts(): Promise<Conflicts>;
  readonly agent: { readonly agentId: string; readonly memory: AgentMemoryService } | undefined;
}

/** What all sessions of a workspace share. */
export interface SessionParts {
  readonly plan: RootPlan;
  /** What keeps a root. */
  readonly storeOf: (root: string) => Store;
  readonly limits: Limits;
  readonly guard: () => Promise<ContentGuard>;
  readonly regex: RegexRunner;
  readonly log: Log;
  readonly searching: Pick<WorkspaceSearch, "search">;
  readonly recording: Pick<WorkspaceHistory, "viewedBy">;
  readonly openTopics: (context: TopicContext) => Topics;
  /** Throws where the topics cannot be reached. */
  readonly assertTopics: () => void;
  readonly topicsWarning: () => string | undefined;
  /** Undefined where the topics lie in no repository. */
  readonly sync: (() => Promise<MemorySync>) | undefined;
  /** Why there are no topics. */
  readonly topicsError: () => RecollectError;
  readonly agentMemory: (policy: RootPolicy) => AgentMemoryService;
  readonly committed: (outcomes: readonly Outcome[], stamp: Stamp) => Promise<void>;
}

export function createSession(parts: SessionParts, bearer: Bearer): Session {
  const { limits, log, regex } = parts;
  const plan = restrictPlan(parts.plan, bearer.grants);
  const stamp = { author: bearer.author, ...(bearer.run === undefined ? {} : { run: bearer.run }) };
  const { memoryFolders: folders, noNewNotes } = plan;
  const documents: Documents = createDocuments({
    roots: plan.mounted.map((root) => ({ ...root, store: parts.storeOf(root.name) })),
    limits,
    guard: parts.guard,
    // The owner of the folders may put back what was hidden there, such as all of a folder that vanished.
    refusesNew: bearer.grants && refuseShadows({ folders, noNewNotes, documents: () => documents }),
    committed: parts.committed,
  });
  const topics = plan.topics === undefined ? undefined : parts.openTopics({ documents, root: plan.topics, stamp });
  const reindexTopics = async () => topics?.reindex();
  const agentPolicy = policyOfAgent(bearer);
  const roots = rootsOf(plan, agentPolicy);
  const visible = new Set(plan.roots.map(({ name }) => name));
  // What becomes of the topics is nothing to somebody who was granted none.
  const hearsOfTopics = bearer.grants === undefined || plan.topics !== undefined;
  const scope = {
    sees: (root: string) => visible.has(root),
    agentId: agentPolicy?.has("read") ? bearer.agentId : undefined,
    hearsOfTopics,
  };
  let history: Promise<MemoryHistory> | undefined;
  const memories = createMemories({
    documents,
    folders,
    noNewNotes,
    regex,
    stamp,
    log,
    documentBytes: limits.documentBytes,
  });
  const openTopics = () => {
    if (!hearsOfTopics) throw noTopics();
    parts.assertTopics();
    if (topics) return topics;
    throw parts.topicsError();
  };
  const topicsObject = lateBound(openTopics, topicsMethods);
  return {
    bearer,
    roots,
    stamp,
    documents,
    memories,
    memoryFolders: folders,
    bank: createBank({ documents, stamp, areas: plan.areas, hasProject: plan.hasProject }),
    bankAreas: plan.areas,
    topics: topicsObject,
    topicsRoot: plan.topics,
    records: ({ withLessons } = { withLessons: true }) =>
      createRecords({
        memories,
        lessons: withLessons && plan.topics !== undefined ? { root: plan.topics, topics: topicsObject } : undefined,
        regex,
        primary: folders.find(({ kind }) => kind === "primary")?.root,
        mayShow: (text) => mayShow(documents, plan, text),
      }),
    get topicsWarning() {
      return hearsOfTopics ? parts.topicsWarning() : undefined;
    },
    search: lateBound(() => parts.searching.search(scope), searchMethods),
    history: lateBound(() => {
      history ??= parts.recording.viewedBy({ plan, documents, stamp, reindexTopics });
      return history;
    }, historyMethods),
    nameOf: createNameOf(plan),
    conflicts: async () => {
      const { openConflicts } = await import("../history/service/open-conflicts.ts");
      return openConflicts({ plan, documents, stamp, reindexTopics, sync: parts.sync, log });
    },
    agent:
      bearer.agentId === undefined || agentPolicy === undefined
        ? undefined
        : { agentId: bearer.agentId, memory: parts.agentMemory(agentPolicy) },
  };
}

const topicsMethods: MethodsOf<Topics> = {
  store: true,
  load: true,
  timeline: true,
  read: true,
  change: true,
  names: true,
  shownNames: true,
  list: true,
  prune: true,
  archive: true,
  reindex: true,
  check: true,
};
const searchMethods: MethodsOf<Search> = { search: true, recall: true, reindex: true, status: true, updated: true };
const historyMethods: MethodsOf<MemoryHistory> = {
  acceptLoss: true,
  blame: true,
  catchUp: true,
  diff: true,
  lessonLog: true,
  locate: true,
  locateFolder: true,
  log: true,
  maintain: true,
  previewUndo: true,
  restore: true,
  restoreFolder: true,
  restoreMissing: true,
  show: true,
  status: true,
  timeline: true,
  trim: true,
  undo: true,
};

type MethodsOf<Service> = Readonly<Record<keyof Service, true>>;

/** A service that is opened by the first call of one of its methods, all of which are asynchronous. */
function lateBound<Service extends object>(
  open: () => Service | Promise<Service>,
  methods: MethodsOf<Service>,
): Service {
  const call =
    (method: string) =>
    async (...given: unknown[]) => {
      const service = (await open()) as Readonly<Record<string, (...given: unknown[]) => unknown>>;
      return service[method]?.(...given);
    };
  return Object.fromEntries(Object.keys(methods).map((method) => [method, call(method)])) as Service;
}

/** Names and what is asked for may be secrets (GUARD-3). */
async function mayShow(documents: Documents, plan: RootPlan, text: string): Promise<boolean> {
  const [root] = [plan.topics, ...plan.memoryFolders.map((folder) => folder.root)].filter((one) => one !== undefined);
  return root === undefined || documents.accepts({ root, path: parseDocumentPath("index.md") }, text);
}

/** An agent may do everything with its own files, unless its grants say less. */
function policyOfAgent({ agentId, grants }: Bearer): RootPolicy | undefined {
  if (agentId === undefined) return undefined;
  const policy = grants?.get(agentRoot);
  return policy === undefined ? fullAccess : fullAccess.intersection(policy);
}

function rootsOf(plan: RootPlan, agentPolicy: RootPolicy | undefined): SessionRoot[] {
  const withHistory = new Set(historyRoots(plan));
  const kinds = new Map<string, SessionRootKind>([
    ...plan.memoryFolders.map(({ root, kind }) => [root, kind === "global" ? "global" : "memories"] as const),
    ...(plan.topics === undefined ? [] : [[plan.topics, "topics"] as const]),
    [bankRoots.bank, "bank"],
    [bankRoots.templates, "templates"],
  ]);
  const roots = plan.mounted.flatMap(({ name, policy, isHidden }): SessionRoot[] => {
    const kind = kinds.get(name);
    return kind === undefined || isHidden
      ? []
      : [{ name, kind, operations: policy, hasHistory: withHistory.has(name) }];
  });
  if (!agentPolicy) return roots;
  return [...roots, { name: agentRoot, kind: "agent", operations: agentPolicy, hasHistory: false }];
}

export function noTopics(): RecollectError {
  return new RecollectError(
    "NOT_FOUND",
    "There is no folder for topics here. Start in a project, or ask recollect doctor.",
  );
}
