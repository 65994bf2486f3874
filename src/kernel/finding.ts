import type { Rev } from "./revision.ts";

/**
 * What was found: nothing to do about a note; a change that was not recorded; what could not be checked; or what only
 * Recollect writes is not as it was written.
 */
export type FindingLevel = "note" | "changed outside" | "unchecked" | "damaged";

export interface VerifyFinding {
  readonly level: FindingLevel;
  readonly root: string;
  /** What is affected. */
  readonly part: "document" | "folder" | "archive" | "journal" | "history" | "index" | "search index" | "sync";
  /** The document, or the folder of a journal. */
  readonly path?: string;
  /** Since when, as far as can be told: ISO 8601 in UTC. */
  readonly since?: string;
  /** What the document was when it was last recorded: it can be restored. */
  readonly rev?: Rev;
  /** True for what the topics say of their own files, which anyone who asks them gets as well. */
  readonly isOfTopics?: boolean;
  /** A sentence. */
  readonly says: string;
  /** What to do. */
  readonly remedy: string;
}

export interface RootVerification {
  readonly root: string;
  readonly findings: readonly VerifyFinding[];
  /** True where the documents could not be compared, so the figures say nothing. */
  readonly isUnchecked?: true;
  readonly documents: number;
  /** Operations in history, and records that wait to be taken over. */
  readonly operations: number;
  readonly revisions: number;
  readonly pending: number;
}

export type OnVerifyProgress = (progress: {
  readonly root: string;
  readonly doing: string;
  readonly done: number;
  readonly total: number;
}) => void;

/** Of a folder in which nothing was ever recorded. */
export const noHistoryYet = "No history yet.";
