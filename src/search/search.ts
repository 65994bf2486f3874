import type { DocumentKind } from "./unit.ts";

/** How many hits a page has, unless told otherwise. */
export const defaultLimit = 10;

/** What to search for, where, and how many hits to give. */
export interface SearchRequest {
  /** Words, "phrases in quotes", -word, topic:NAME, since:DATE, until:DATE, path:GLOB. */
  readonly query: string;
  readonly topic?: string;
  /** YYYY-MM-DD; the entry's own date, or the day its document was changed. */
  readonly since?: string;
  readonly until?: string;
  /** A glob over paths, such as `auth/**`. */
  readonly path?: string;
  readonly root?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly explain?: boolean;
  /** Also says how strongly each hit answers the query, which takes several times as long. */
  readonly strength?: boolean;
  readonly context?: SearchContext;
  /** Asked while somebody types, or to see whether anything is known: what is found does not count as recalled. */
  readonly preview?: boolean;
}

/** What is being worked on: what fits it comes earlier. */
export interface SearchContext {
  readonly topic?: string;
  /** A task's reference, such as `PRB-142`. */
  readonly task?: string;
  readonly files?: readonly string[];
}

/** A section that a search found. */
export interface Hit {
  readonly root: string;
  readonly kind: DocumentKind;
  readonly path: string;
  readonly title: string;
  readonly breadcrumb: readonly string[];
  /** YYYY-MM-DD. */
  readonly date: string;
  /** 1-based lines of the unit in its document. */
  readonly lines: { readonly from: number; readonly to: number };
  readonly score: number;
  readonly snippet: Snippet;
  /** The guard finds something in its document: what it found is masked, and recall leaves it out. */
  readonly flagged: boolean;
  readonly explanation?: Explanation;
  /** Where it was asked for. */
  readonly strength?: Strength;
}

/** What tells an answer from what is merely nearest. Comparable between memories of any size. */
export interface Strength {
  /** How much of the query's words stand in it: a word that one section alone has counts about 1. */
  readonly said: number;
  /** The share of the query's telling words that it says in these or in similar words; undefined for a foreign language. */
  readonly close: number | undefined;
  /** How far its score is above those of all other documents; 0 where one of them is better. */
  readonly lead: number;
}

export interface Snippet {
  readonly text: string;
  /** Where the matches are in `text`. */
  readonly marks: readonly { readonly from: number; readonly to: number }[];
}

/** Each part with its weight, so that they add up to the score. */
export interface Explanation {
  readonly text: number;
  readonly meaning: number;
  readonly recency: number;
  readonly context: number;
  readonly terms: readonly { readonly term: string; readonly for: string; readonly score: number }[];
}

/** One page of hits, the best first. */
export interface SearchPage {
  readonly hits: readonly Hit[];
  /** How many units match, shown or not. */
  readonly total: number;
  /** What the reader should know: an index under construction, a folder that cannot be watched, a missing table. */
  readonly warnings: readonly string[];
}

/** A task, and how many tokens its block may have. */
export interface RecallRequest {
  readonly query: string;
  /** Tokens of the whole block; 1,000 by default. */
  readonly maxTokens?: number;
  /** 3 by default. */
  readonly maxItems?: number;
  /** The task's reference or its description. */
  readonly task?: string;
  readonly files?: readonly string[];
  /** What the text calls a piece, such as `build/cache › Old caches`; by default as editors do, `memory/build/cache.md:3-9`. */
  readonly nameOf?: (item: Pick<Hit, "root" | "kind" | "path" | "title" | "breadcrumb">) => string;
  /** What is sent of the block and the warnings, where that is more than the block: its tokens are what counts. */
  readonly sentAs?: (text: string, warnings: readonly string[]) => string;
}

/** The pieces that fit a task, as one block of Markdown within the budget. */
export interface Recalled {
  /** One Markdown block for a task description; empty where nothing fits. */
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly RecalledItem[];
  readonly warnings: readonly string[];
}

export interface RecalledItem {
  readonly root: string;
  readonly kind: DocumentKind;
  readonly path: string;
  readonly title: string;
  readonly date: string;
  readonly lines: { readonly from: number; readonly to: number };
  /** Whether it was cut to fit. */
  readonly trimmed: boolean;
}

/** How far an index is: `done` of `total` documents. */
export interface IndexProgress {
  readonly root: string;
  readonly done: number;
  readonly total: number;
}

/** Told while an index is built that an answer waits for. */
export type OnIndexProgress = (progress: IndexProgress) => void;

export interface SearchCounts {
  readonly documents: number;
  readonly units: number;
  readonly warnings: readonly string[];
}

export interface SearchStatus extends SearchCounts {
  /** The name of the table or the model that meaning goes by; "" where it is switched off. */
  readonly meaning: string;
  /** How many units it has seen. */
  readonly withMeaning: number;
}

/** Finds notes, lessons and files by words and by meaning. */
export interface Search {
  search(request: SearchRequest, onProgress?: OnIndexProgress): Promise<SearchPage>;
  recall(request: RecallRequest, onProgress?: OnIndexProgress): Promise<Recalled>;
  /** Throws the index away and builds it anew, the meaning of everything with it. */
  reindex(onProgress?: OnIndexProgress): Promise<SearchCounts>;
  /** How much there is, and how much of it can be found by its meaning. */
  status(onProgress?: OnIndexProgress): Promise<SearchStatus>;
  /** Documents that were just changed here: they need not be looked for. Never fails. */
  updated(changed: readonly { readonly root: string; readonly path: string }[]): Promise<void>;
}
