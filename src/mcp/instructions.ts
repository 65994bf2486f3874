import { counted, isRecollectError, type Memories, onOneLine, type TopicName } from "../index.ts";
import type { BankPlaces } from "./reading.ts";
import type { TopicsSession } from "./tool-options.ts";

/** About 300 tokens, in every session: the rest is there for the asking. */
const mostChars = 1200;
const namesShown = 12;
/** Long names leave room for the other lines. */
const listChars = 250;
const warningsShown = 3;
const nameChars = 80;
const warningChars = 250;

export interface InstructionParts {
  readonly memories?: Memories | undefined;
  readonly topics?: Pick<TopicsSession, "topics"> | undefined;
  readonly canSearch?: boolean;
  readonly bank?: BankPlaces | undefined;
  readonly agentId?: string | undefined;
  /** What the user should be told, such as a setting that is not trusted. */
  readonly warnings?: readonly string[];
}

/**
 * What the model learns at connection: a few lines about what exists, however much that is. Names and settings come
 * with a clone, so each is cut and kept on its line.
 */
export async function toInstructions({
  memories,
  topics,
  canSearch = false,
  bank,
  agentId,
  warnings = [],
}: InstructionParts): Promise<string> {
  const names = topics ? await topicNames(topics) : [];
  const [intro = [], details = []] = memories ? await aboutMemories(memories, canSearch, names.length > 0) : [];
  const more = warnings.length - warningsShown;
  const needed = [
    ...intro,
    ...(bank ? aboutBank(bank) : []),
    ...(agentId === undefined
      ? []
      : ["You also have memory files of your own (read_memory_file …), kept between runs; nobody else reads them."]),
    ...warnings.slice(0, warningsShown).map((warning) => `Tell the user: ${onOneLine(warning, warningChars)}`),
    ...(more > 0
      ? [`Tell the user: ${counted(more, "more warning is", "more warnings are")} shown by: recollect doctor`]
      : []),
  ];
  return fitting(needed, [...aboutTopics(names), ...details]).join("\n");
}

function aboutBank({ project, templates }: BankPlaces): string[] {
  const parts = [
    ...(project === undefined
      ? []
      : [`Memory bank of this project: ${project} (list_dir, read_file, create_text_file with absolute paths).`]),
    ...(templates === undefined ? [] : [`Templates, read-only: ${templates}.`]),
  ];
  return [parts.join(" ")];
}

/** Details, where there is room left for them. */
function fitting(needed: readonly string[], details: readonly string[]): string[] {
  const lines = [...needed];
  for (const detail of details) if ([...lines, detail].join("\n").length <= mostChars) lines.push(detail);
  return lines;
}

/** From the names of files. That there are none, or that nobody can reach them, is said where it matters. */
async function topicNames({ topics }: Pick<TopicsSession, "topics">): Promise<readonly TopicName[]> {
  try {
    return await topics().names();
  } catch (error) {
    if (isRecollectError(error)) return [];
    throw error;
  }
}

/**
 * Words and small numbers. What was made by hand may have a secret for its name, and to load the guard takes longer
 * than all else at a start.
 */
const plainPart = String.raw`(?:[\p{L}\p{M}]{1,15}|[\p{L}\p{M}]{1,12}\d{1,3}|\d{1,4})`;
const plainName = new RegExp(`^${plainPart}(?:[-_. ]${plainPart})*$`, "u");

function aboutTopics(names: readonly TopicName[]): string[] {
  const topics = [...new Set(names.map(({ topic }) => topic))].filter((topic) => plainName.test(topic));
  if (topics.length === 0) return [];
  return [`Topics of entries (load_from_memory): ${listed(topics.map((topic) => onOneLine(topic, nameChars)))}.`];
}

function listed(names: readonly string[]): string {
  let count = Math.min(names.length, namesShown);
  while (count > 1 && names.slice(0, count).join(", ").length > listChars) count -= 1;
  const more = names.length > count ? ` and ${names.length - count} more` : "";
  return `${names.slice(0, count).join(", ")}${more}`;
}

async function aboutMemories(
  memories: Memories,
  canSearch: boolean,
  hasTopics: boolean,
): Promise<[string[], string[]]> {
  try {
    return await overviewLines(memories, canSearch, hasTopics);
  } catch (error) {
    // A folder that cannot be read keeps nobody from connecting: there the user can be told of it.
    if (!isRecollectError(error)) throw error;
    return [[`Tell the user: the project memory cannot be read. ${onOneLine(error.message, warningChars)}`], []];
  }
}

async function overviewLines(
  memories: Memories,
  canSearch: boolean,
  hasTopics: boolean,
): Promise<[string[], string[]]> {
  const { count, globalCount, topics: folders, newest, folders: homes } = await memories.overview();
  const how = "Read what fits before you begin, and write down what a later session should know.";
  if (count + globalCount === 0 && homes.every(({ kind }) => kind === "global"))
    return [["There is no project here, so there are no notes of it. recollect init makes this folder a project."], []];
  if (count + globalCount === 0)
    return [[`Project memory (write_memory …): ${hasTopics ? "no notes" : "empty"} so far. ${how}`], []];
  const shared = globalCount > 0 ? `, and ${globalCount} of the user (global/…)` : "";
  const intro = `Project memory: ${counted(count, "note")}${shared}. ${canSearch ? "search_memory finds" : "list_memories shows"} them, read_memory reads one. ${how}`;
  const latest = newest.map((name) => onOneLine(name, nameChars));
  // Serena calls them topics; here those are what load_from_memory takes.
  const shown = folders.filter(({ topic }) => plainName.test(topic));
  const sizes = shown.map(({ topic, count: notes }) => `${onOneLine(topic, nameChars)} (${notes})`);
  return [
    [intro],
    [
      ...(latest.length > 0 ? [`Newest: ${latest.join(", ")}.`] : []),
      ...(sizes.length > 0 ? [`Folders of notes: ${listed(sizes)}.`] : []),
    ],
  ];
}
