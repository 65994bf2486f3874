import type { ApiPlace } from "./place.ts";

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
