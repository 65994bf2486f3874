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
  /** Whether search_memory is. */
  readonly canSearch: boolean;
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
  return orTopicFile(name, topicFiles, run, async (files, path) => {
    if (await files.topics().read(path)) throw notANote(files);
    return undefined;
  });
}

/** A file by the place that search shows comes first; a note of the same name is shown without `.md`, or with `mem:`. */
async function orTopicFile<Result>(
  name: string,
  files: TopicFiles | undefined,
  onNamedNote: () => Promise<Result>,
  onFile: (files: TopicFiles, path: string) => Promise<Result | undefined>,
): Promise<Result> {
  const path = files && pathAmongTopics(name, files);
  if (!files || path === undefined) return onNamedNote();
  const isAsSearchNames = name.startsWith(`${files.root}/`) && name.endsWith(".md");
  const found = isAsSearchNames ? await onFile(files, path) : undefined;
  if (found !== undefined) return found;
  try {
    return await onNamedNote();
  } catch (error) {
    // Their folder may be configured by a path that no note could have.
    if (!isRecollectError(error) || !["NOT_FOUND", "INVALID_PATH"].includes(error.code)) throw error;
    const other = isAsSearchNames ? undefined : await onFile(files, path);
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

function notANote({ root, hasTools, canSearch }: TopicFiles, cause?: unknown): RecollectError {
  const ways = [
    ...(hasTools ? ["load_from_memory loads their entries"] : []),
    ...(canSearch ? ["read_memory reads a file by the path that search_memory shows"] : []),
  ];
  const change = hasTools
    ? "Entries are not edited: store_in_memory stores one that says what holds now."
    : "Nothing here changes them.";
  const says = `There is no such note. Below ${root}/ lie topics: ${ways.join(", ")}. ${change}`;
  return new RecollectError("NOT_FOUND", says, { data: { advised: true }, cause });
}
