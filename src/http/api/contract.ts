/**
 * What the JSON API takes and answers, for the server and for the dashboard alike. Types alone: nothing here runs.
 *
 * Every path is below `/api` and wants `Authorization: Bearer TOKEN`. A failure is an `ApiFailure` with a fitting status.
 * What a credential may not see answers 404 like what does not exist (WEB-2).
 */

export interface ApiFailure {
  readonly error: {
    /** A code of `RecollectError`, or one of the server's own, such as UNAUTHORIZED. */
    readonly code: string;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export type ApiOperation = "list" | "read" | "write" | "append" | "delete" | "move";
type ApiRootKind = "memories" | "global" | "topics" | "bank" | "templates" | "agent";

export interface ApiRoot {
  readonly name: string;
  readonly kind: ApiRootKind;
  readonly operations: readonly ApiOperation[];
  readonly hasHistory: boolean;
}

/** GET /session */
export interface ApiSession {
  readonly version: string;
  readonly project: string | undefined;
  /** As history names who writes: `person:ada`, `agent:builder-7`. */
  readonly author: string;
  readonly credential: string;
  readonly agentId: string | undefined;
  /** May see doctor, guard and tokens, and change the allow-list and the tokens. */
  readonly isAdmin: boolean;
  readonly roots: readonly ApiRoot[];
  readonly warnings: readonly string[];
}

/** One operation of history. */
export interface ApiRevision {
  readonly id: string;
  readonly root: string;
  readonly time: string;
  readonly author: string;
  readonly run: string | undefined;
  readonly reason: string | undefined;
  /** At most 50. */
  readonly changes: readonly ApiChange[];
  /** How many more it has. */
  readonly more?: number;
}

export interface ApiChange {
  readonly path: string;
  readonly kind: string;
  readonly rev: string | undefined;
  readonly was: string | undefined;
  readonly from: string | undefined;
}

/** GET /overview */
export interface ApiOverview {
  readonly documents: number;
  readonly bytes: number;
  /** Newest first, at most 20. */
  readonly recent: readonly ApiRevision[];
  /** How many documents there were at the end of each day, and how many changes it had: the last 90 days, oldest first. */
  readonly growth: readonly ApiGrowthDay[];
  /** Who wrote how much in these days, most first. */
  readonly authors: readonly { readonly author: string; readonly changes: number }[];
  readonly mostRecalled: readonly ApiRecalled[];
  readonly neverRecalled: { readonly count: number; readonly examples: readonly ApiPlace[] };
  /** Only for an admin; what `doctor` says, problems first. */
  readonly health: readonly ApiFinding[] | undefined;
  /** Those of both kinds that `GET /conflicts` lists. */
  readonly conflicts: number;
  /** What is still being counted: ask again in a moment. What is too much to be is among the warnings. */
  readonly partial: readonly ("documents" | "growth" | "conflicts" | "health")[];
  readonly warnings: readonly string[];
}

export interface ApiGrowthDay {
  readonly date: string;
  readonly documents: number;
  readonly changes: number;
}

export interface ApiPlace {
  readonly root: string;
  readonly path: string;
}

interface ApiRecalled extends ApiPlace {
  readonly count: number;
  readonly last: string;
}

export interface ApiFinding {
  readonly level: "fine" | "note" | "problem";
  readonly about: string;
  readonly says: string;
  readonly remedy: string | undefined;
}

/** GET /folder?root=&folder=&after= : the direct children, folders first. Without `folder` those of the root itself. */
export interface ApiFolder {
  readonly root: string;
  readonly folder: string;
  readonly folders: readonly string[];
  readonly documents: readonly ApiListed[];
  /** Pass it as `after` for the next page; pages have 200 folders and documents. */
  readonly next: string | undefined;
}

export interface ApiListed {
  readonly path: string;
  readonly size: number;
  /** ISO 8601. */
  readonly modified: string;
  readonly rev: string | undefined;
  readonly readOnly: boolean;
  /** Why it is no ordinary document. */
  readonly remark: string | undefined;
}

/** GET /document?root=&path= */
export interface ApiDocument {
  readonly root: string;
  readonly path: string;
  /** What tools call it, such as a memory's name. */
  readonly name: string;
  readonly content: string;
  readonly rev: string;
  readonly modified: string;
  readonly readOnly: boolean;
  /** What the guard finds in it; the values are masked in no place but in the content itself. */
  readonly findings: readonly ApiGuardFinding[];
}

/** PUT /document. Answers ApiSaved; 409 with `data: ApiConflictData` where somebody was faster. */
export interface ApiSave {
  readonly root: string;
  readonly path: string;
  readonly content: string;
  /** The revision that was edited; null for a document that must be new. */
  readonly ifRev: string | null;
}

export interface ApiSaved {
  readonly root: string;
  readonly path: string;
  readonly rev: string | undefined;
}

export interface ApiConflictData {
  /** Undefined where it is gone now. */
  readonly current: { readonly rev: string; readonly content: string } | undefined;
}

/** DELETE /document?root=&path=&ifRev= answers ApiSaved. POST /document/move: ApiMove answers ApiMoved. */
export interface ApiMove {
  readonly root: string;
  readonly path: string;
  readonly to: string;
  readonly ifRev: string;
}

/** Memories are renamed, and what refers to them with them. */
export interface ApiMoved extends ApiSaved {
  /** The memories in which references were rewritten. */
  readonly rewritten: readonly string[];
  /** Those that still refer to the old name, since they may not be changed. */
  readonly notRewritten: readonly string[];
}

/**
 * GET /search?q=&topic=&since=&until=&path=&root=&limit=&offset=&explain=1&preview=1 ; at most 50 hits a page.
 * With `preview`, as somebody types, what is found does not count as recalled.
 */
export interface ApiSearch {
  readonly hits: readonly ApiHit[];
  readonly total: number;
  readonly warnings: readonly string[];
}

export interface ApiHit extends ApiPlace {
  readonly title: string;
  readonly breadcrumb: readonly string[];
  readonly date: string;
  readonly lines: { readonly from: number; readonly to: number };
  readonly score: number;
  readonly snippet: {
    readonly text: string;
    readonly marks: readonly { readonly from: number; readonly to: number }[];
  };
  readonly flagged: boolean;
  readonly explanation:
    | {
        readonly text: number;
        readonly meaning: number;
        readonly recency: number;
        readonly context: number;
        readonly terms: readonly { readonly term: string; readonly for: string; readonly score: number }[];
      }
    | undefined;
}

/** GET /history?root=&path=|folder=&author=&run=&after=&limit= ; without root: all roots, newest first, no pages. At most 100. */
export interface ApiHistory {
  readonly revisions: readonly ApiRevision[];
  readonly next: string | undefined;
}

/** GET /history/show?root=&path=&rev= */
export interface ApiShown {
  readonly revision: ApiRevision;
  readonly path: string;
  readonly rev: string | undefined;
  /** Undefined where it was gone, or no UTF-8 text. */
  readonly text: string | undefined;
}

/** GET /history/diff?root=&path=&from=&to= : both texts, for a diff side by side. Without `from`, the one before. */
export interface ApiDiff {
  readonly from: ApiShown | undefined;
  readonly to: ApiShown;
  /** Undefined where one of the two is no text. */
  readonly rows: readonly ApiDiffRow[] | undefined;
  /** How many rows were left out at the end, for their number. */
  readonly more?: number;
}

/** One row of a diff side by side; a missing side is undefined. Of skipped lines, `line` is the first of them. */
export interface ApiDiffRow {
  readonly kind: "same" | "changed" | "removed" | "added" | "skipped";
  readonly left: { readonly line: number; readonly text: string } | undefined;
  readonly right: { readonly line: number; readonly text: string } | undefined;
  /** Of skipped lines: how many. */
  readonly count?: number;
}

/** POST /history/restore: ApiRestore answers ApiSaved with `restored`. */
export interface ApiRestore {
  readonly root: string;
  readonly path: string;
  /** As in history: of a revision or of the operation that made it, or the beginning of either. */
  readonly rev: string;
  /** The revision that is there now, where nothing else may be overwritten. */
  readonly ifRev?: string | undefined;
}

export interface ApiRestored extends ApiSaved {
  readonly restored: boolean;
}

/**
 * GET /topics : the topics and their files. GET /topics/entries?topic=&subtopic=&archive=1&after= : a timeline, newest
 * first, 50 a page; of all topics without `topic`.
 */
export interface ApiTopics {
  readonly topics: readonly {
    readonly topic: string;
    readonly subtopics: readonly { readonly subtopic: string; readonly entries: number; readonly path: string }[];
  }[];
  readonly warning: string | undefined;
}

export interface ApiEntries {
  readonly entries: readonly ApiEntry[];
  readonly next: string | undefined;
}

export interface ApiEntry extends ApiPlace {
  readonly topic: string;
  readonly subtopic: string;
  readonly date: string;
  readonly title: string;
  /** Markdown below its heading. */
  readonly text: string;
  readonly isArchived: boolean;
}

/** GET /conflicts */
export interface ApiConflicts {
  /** Documents that lie beside others. */
  readonly conflicts: readonly ApiConflict[];
  /** What else syncs decided that a person may see otherwise; settled by `root/path` and one of its choices. */
  readonly unsettled: readonly ApiUnsettled[];
}

export interface ApiUnsettled extends ApiPlace {
  readonly name: string;
  /** What happened, as a sentence that goes on from the name. */
  readonly says: string;
  readonly choices: readonly { readonly keep: string; readonly does: string }[];
  /** What a person can do instead, with an editor. */
  readonly byHand: string | undefined;
}

export interface ApiConflict extends ApiPlace {
  readonly name: string;
  readonly original: string;
  readonly originalName: string;
}

/** GET /conflicts/show?name= */
export interface ApiConflictView extends ApiConflict {
  readonly ours: { readonly rev: string | undefined; readonly text: string | undefined } | undefined;
  readonly theirs: { readonly rev: string | undefined; readonly text: string | undefined };
  /** Undefined where one of the two is no text. */
  readonly rows: readonly ApiDiffRow[] | undefined;
  readonly more?: number;
  readonly both: string | undefined;
}

/** POST /conflicts/settle: answers ApiSaved of the document that keeps the name. */
export interface ApiSettle {
  readonly name: string;
  readonly keep: "ours" | "theirs" | "both" | "text";
  /** With keep `text`: what it shall be. */
  readonly text?: string | undefined;
  /** The revisions that were looked at; where they are others by now, nothing is done: 409. */
  readonly seen?: { readonly ours: string | null; readonly theirs: string | null } | undefined;
}

/** GET /guard : only for an admin. What the guard finds in all documents, and what it lets pass. */
export interface ApiGuard {
  readonly policy: string;
  readonly flagged: readonly (ApiPlace & { readonly findings: readonly ApiGuardFinding[] })[];
  readonly allowed: readonly { readonly fingerprint: string; readonly reason: string; readonly allowedAt: string }[];
  /** True where not all documents were looked at yet. */
  readonly isPartial: boolean;
}

export interface ApiGuardFinding {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly fingerprint: string;
}

/** POST /guard/allowed: ApiAllow. DELETE /guard/allowed?fingerprint= : both answer ApiGuard. */
export interface ApiAllow {
  readonly fingerprint: string;
  readonly reason: string;
}

/** GET /agents : only for an admin. Who wrote here, by history and by the folders of agents. */
export interface ApiAgents {
  readonly agents: readonly {
    readonly author: string;
    readonly changes: number;
    readonly last: string | undefined;
    readonly tokens: number;
  }[];
  /** True while changes are still being counted. */
  readonly isPartial: boolean;
}

/** GET /tokens : only for an admin. */
export interface ApiTokens {
  readonly tokens: readonly ApiToken[];
}

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  /** As history names who writes. */
  readonly author: string;
  readonly agentId: string | undefined;
  /** `ROOT:operations`, such as `*:read` or `.serena/memories:read,write`. */
  readonly scopes: readonly string[];
  readonly isAdmin: boolean;
  readonly created: string;
  readonly expires: string | undefined;
  readonly lastUsed: string | undefined;
}

/** POST /tokens: ApiNewToken answers ApiCreatedToken; the secret is shown this once. DELETE /tokens?id= answers ApiTokens. */
export interface ApiNewToken {
  readonly name: string;
  readonly agentId?: string | undefined;
  readonly scopes: readonly string[];
  readonly isAdmin?: boolean | undefined;
  readonly expiresInDays?: number | undefined;
}

export interface ApiCreatedToken extends ApiToken {
  readonly secret: string;
  /** Scopes that grant nothing in this project, and why. */
  readonly warnings: readonly string[];
}

/**
 * GET /events : a stream of server-sent events, each `data:` an ApiEvent; read with fetch, since an EventSource sends no
 * header. Only what the credential may read. It ends after some minutes: connect again, with a credential that is still
 * good.
 */
export type ApiEvent =
  /** The first one: from here on nothing is missed, so what was read before is to be read again. */
  | { readonly kind: "hello" }
  | { readonly kind: "changed"; readonly changes: readonly ApiChanged[] }
  /** Something was changed that is not known in detail: look again. */
  | { readonly kind: "stale" };

export interface ApiChanged extends ApiPlace {
  readonly rev: string | undefined;
  readonly author: string | undefined;
}
