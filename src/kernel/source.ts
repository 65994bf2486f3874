import { type ErrorOptions, RecollectError } from "./errors.ts";

/** One document as a survey meets it. */
export interface Surveyed {
  readonly path: string;
  /** Changes whenever the document may have changed; equal stamps mean equal bytes. */
  readonly stamp: number;
}

/** The documents of one folder. */
export interface SurveyedFolder {
  readonly folder: string;
  readonly documents: readonly Surveyed[];
}

export interface SourceDocument {
  readonly content: string;
  /** Of the bytes that were read; 0 where they were changed so lately that a later change could look the same. */
  readonly stamp: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * A root as the search index sees it: what is there, what it says, and what changed. A files store answers by looking
 * at folders and by watching them, a database by its change feed.
 */
export interface Source {
  /** The name of the root, as in an address. */
  readonly root: string;
  /**
   * Where the root lies, and how much of what lies there it has, as text that stays the same between processes: it
   * names the index. Not which paths its caller takes for documents.
   */
  readonly identity: string;
  /**
   * The documents of one folder after the other ("" for the root's own); links, special files and what belongs to
   * another root are left out. With a path: what is there and below it, one document or a folder, as `changes` names them.
   */
  survey(at?: string): Iterable<SurveyedFolder> | AsyncIterable<SurveyedFolder>;
  /**
   * Where changes are noticed as they happen: everything that was finished before this call is in the answer.
   * Undefined where they are not (any more): survey it. Paths of documents or of whole folders, gone ones too.
   * What one call has told, the next does not repeat; who comes while another asks gets that answer, too, and what
   * came since.
   */
  changes(): Promise<readonly string[] | undefined>;
  /** Begins to notice changes, for a process that stays: from here on `changes` may answer. Says why where it cannot. */
  watch(): Promise<{ readonly kind: "watching" } | { readonly kind: "unwatched"; readonly reason: string }>;
  /** How many documents are best asked for at once; one by one where none is given. */
  readonly readsAtOnce?: number;
  /** Undefined where there is no document that can be shown (gone, not UTF-8, too large, no right to read). */
  read(path: string): Promise<SourceDocument | undefined>;
  /**
   * Tells when the root may have been written to, until the function that it returns is called. It may fail to tell: ask for
   * changes now and then all the same. A source without it is asked as often as news are wanted.
   */
  onWritten?(listener: () => void): () => void;
  /** Documents and folders that were there at the last look, and may not be read. */
  refused?(): readonly string[];
  close(): void;
}

/**
 * Asks a source about each path: one after the other, or, where it is best asked for many at once, so many at the same
 * moment, which it answers together.
 */
export async function askSource<Answer>(
  { readsAtOnce }: Pick<Source, "readsAtOnce">,
  paths: readonly string[],
  ask: (path: string) => Promise<Answer>,
  most = paths.length,
): Promise<Answer[]> {
  const atOnce = readsAtOnce === undefined ? 1 : Math.max(1, most);
  const answers: Answer[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    answers.push(...(await Promise.all(paths.slice(from, from + atOnce).map(ask))));
  }
  return answers;
}

/** The storage failed for one document; of the others of its root that says nothing. */
export class UnreadableDocument extends RecollectError {
  constructor(message: string, options: ErrorOptions) {
    super("STORAGE_FAILED", message, options);
  }
}
