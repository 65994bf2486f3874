import { counted, isRecollectError, type Memories, onOneLine } from "../index.ts";
import type { BankPlaces } from "./reading.ts";

/** About 300 tokens, in every session: the rest is there for the asking. */
const mostChars = 1200;
const topicsShown = 12;
const warningsShown = 3;
const nameChars = 80;
const warningChars = 250;

export interface InstructionParts {
  readonly memories?: Memories | undefined;
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
  canSearch = false,
  bank,
  agentId,
  warnings = [],
}: InstructionParts): Promise<string> {
  const [intro = [], details = []] = memories ? await aboutMemories(memories, canSearch) : [];
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
  return fitting(needed, details).join("\n");
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

async function aboutMemories(memories: Memories, canSearch: boolean): Promise<[string[], string[]]> {
  try {
    return await overviewLines(memories, canSearch);
  } catch (error) {
    // A folder that cannot be read keeps nobody from connecting: there the user can be told of it.
    if (!isRecollectError(error)) throw error;
    return [[`Tell the user: the project memory cannot be read. ${onOneLine(error.message, warningChars)}`], []];
  }
}

async function overviewLines(memories: Memories, canSearch: boolean): Promise<[string[], string[]]> {
  const { count, globalCount, topics, newest } = await memories.overview();
  const how = "Read what fits before you begin, and write down what a later session should know.";
  if (count + globalCount === 0) return [[`Project memory (write_memory …): empty so far. ${how}`], []];
  const shared = globalCount > 0 ? `, and ${globalCount} of the user (global/…)` : "";
  const more = topics.length > topicsShown ? ` and ${topics.length - topicsShown} more` : "";
  const listed = topics
    .slice(0, topicsShown)
    .map(({ topic, count: notes }) => `${onOneLine(topic, nameChars)} (${notes})`);
  const latest = newest.map((name) => onOneLine(name, nameChars));
  const intro = `Project memory: ${counted(count, "note")}${shared}. ${canSearch ? "search_memory finds" : "list_memories shows"} them, read_memory reads one. ${how}`;
  return [
    [intro],
    [
      ...(latest.length > 0 ? [`Newest: ${latest.join(", ")}.`] : []),
      ...(listed.length > 0 ? [`Topics: ${listed.join(", ")}${more}.`] : []),
    ],
  ];
}
