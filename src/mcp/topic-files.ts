import {
  isRecollectError,
  type LineRange,
  type Memories,
  parseExistingPath,
  type ReadMemory,
  RecollectError,
  type Topics,
} from "../index.ts";

/**
 * The files of topics, as the tools for notes meet them: search names them by their folder and path, and an agent tries
 * that name on whatever reads or edits.
 */
export interface TopicFiles {
  /** The folder of topics, as search names it. */
  readonly root: string;
  readonly topics: () => Topics;
  /** Whether the tools of topics are served beside those of notes. */
  readonly hasTools: boolean;
}

/** A note, or the file of topics or of their archive that search named so. */
export async function readNoteOrTopicFile(
  name: string,
  range: LineRange & { readonly maxChars?: number },
  { memories, topicFiles }: { readonly memories: Memories; readonly topicFiles: TopicFiles | undefined },
): Promise<ReadMemory> {
  return orTopicFile(
    name,
    topicFiles,
    () => memories.read(name, range),
    async ({ root, topics }, path) => {
      const file = await topics().read(path, range);
      if (!file) return undefined;
      const { path: _, ...read } = file;
      return { name: `${root}/${path}`, folder: root, ...read };
    },
  );
}

/** What is done with a note; of a file of topics it is said what is for it instead. */
export function onNote<Result>(
  name: string,
  topicFiles: TopicFiles | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  return orTopicFile(name, topicFiles, run, async () => undefined);
}

async function orTopicFile<Result>(
  name: string,
  files: TopicFiles | undefined,
  run: () => Promise<Result>,
  otherwise: (files: TopicFiles, path: string) => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    // Their folder may be configured by a path that no note could have.
    const isMissing = isRecollectError(error) && ["NOT_FOUND", "INVALID_PATH"].includes(error.code);
    const path = files && isMissing ? pathAmongTopics(name, files) : undefined;
    if (!files || path === undefined) throw error;
    const other = await otherwise(files, path);
    if (other !== undefined) return other;
    throw notANote(files, error);
  }
}

function pathAmongTopics(name: string, { root }: TopicFiles): string | undefined {
  const plain = name.replace(/^mem:/, "");
  if (!plain.startsWith(`${root}/`)) return undefined;
  try {
    return parseExistingPath(plain.slice(root.length + 1));
  } catch (error) {
    if (isRecollectError(error) && error.code === "INVALID_PATH") return undefined;
    throw error;
  }
}

function notANote({ root, hasTools }: TopicFiles, cause: unknown): RecollectError {
  const how = hasTools
    ? "load_from_memory loads their entries, read_memory a file by the path that search_memory shows. Entries are not edited: store_in_memory stores one that says what holds now."
    : "read_memory reads a file by the path that search_memory shows, and nothing here changes one.";
  return new RecollectError("NOT_FOUND", `There is no such note. Below ${root}/ lie topics: ${how}`, {
    data: { advised: true },
    cause,
  });
}
