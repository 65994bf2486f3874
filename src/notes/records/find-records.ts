import { isRecollectError } from "../../kernel/errors.ts";
import { parseRecordName, type RecordName } from "../../kernel/record-name.ts";
import type { Rev } from "../../kernel/revision.ts";
import { originOf } from "../topics/topic-archive.ts";
import { nameOfTopicPath, type TopicName } from "../topics/topic-paths.ts";
import type { Topics } from "../topics/topics.ts";
import { findPieces, type Piece, piecesOf } from "./pieces.ts";
import { isPrintedAs } from "./print-name.ts";
import { missingPart, missingRecord } from "./record-errors.ts";
import type { RecordsOptions } from "./records.ts";

/** A note or a file of lessons, or the part of one that a name means. */
export interface FoundRecord {
  readonly kind: "note" | "lessons";
  /** As it is printed, with the title of the part. */
  readonly name: string;
  /** Of the whole document. */
  readonly whole: string;
  /** With its place before it, which no other has. */
  readonly placed: string;
  readonly folder: string;
  readonly path: string;
  readonly content: string;
  readonly rev: Rev;
  /** Undefined where the whole document is meant. */
  readonly piece: Piece | undefined;
  /** The dated entries of a file of lessons. */
  readonly lessons: readonly Piece[];
}

type Found = readonly [FoundRecord, ...FoundRecord[]];

export interface RecordFinder {
  /** All that a name means; none where there is nothing of that name. */
  find(name: RecordName): Promise<readonly FoundRecord[]>;
  /** The archived lessons of a topic and subtopic, or the one that is meant. */
  findArchived(given: string): Promise<readonly FoundRecord[]>;
  /** Throws NOT_FOUND with what was perhaps meant. */
  require(given: string): Promise<Found>;
}

export function createRecordFinder(options: Omit<RecordsOptions, "regex">): RecordFinder {
  const { memories, lessons } = options;

  async function noteOf(name: string): Promise<FoundRecord | undefined> {
    try {
      const { name: whole, folder, content, rev } = await memories.read(name, { maxChars: Number.POSITIVE_INFINITY });
      const placed = whole.startsWith("global/") ? whole : `${folder}/${whole}`;
      const path = `${whole}.md`;
      return { kind: "note", name: whole, whole, placed, folder, path, content, rev, piece: undefined, lessons: [] };
    } catch (error) {
      if (isRecollectError(error) && ["NOT_FOUND", "INVALID_PATH"].includes(error.code)) return undefined;
      throw error;
    }
  }

  async function lessonsOf(name: string): Promise<FoundRecord | undefined> {
    const path = name.endsWith(".md") ? name : `${name}.md`;
    const file = await readable((topics) => topics.read(path, { maxChars: Number.POSITIVE_INFINITY }));
    return file && lessonsIn(path, file.content, file.rev);
  }

  /** Where topics cannot be reached, notes can. */
  async function readable<Result>(read: (topics: Topics) => Promise<Result | undefined>): Promise<Result | undefined> {
    if (!lessons) return undefined;
    try {
      return await read(lessons.topics);
    } catch (error) {
      if (isRecollectError(error) && ["NOT_FOUND", "INVALID_PATH", "INVALID_ARGUMENT"].includes(error.code))
        return undefined;
      throw error;
    }
  }

  function lessonsIn(path: string, content: string, rev: Rev): FoundRecord {
    const [whole, folder] = [path.slice(0, -".md".length), lessons?.root ?? ""];
    const dated = piecesOf({ path, kind: "topic", content }).filter(({ isLesson }) => isLesson);
    return {
      kind: "lessons",
      name: whole,
      whole,
      placed: `${folder}/${whole}`,
      folder,
      path,
      content,
      rev,
      piece: undefined,
      lessons: dated,
    };
  }

  /** The documents that a name without titles and lines means. */
  async function wholes(name: string): Promise<readonly FoundRecord[]> {
    const plain = name.replace(/^mem:/, "");
    const isReference = plain !== name;
    const among = lessons && plain.startsWith(`${lessons.root}/`) ? plain.slice(lessons.root.length + 1) : undefined;
    // As search names a file, it is that file; a note of the same name is called without `.md`.
    if (among !== undefined && plain.endsWith(".md") && !isReference) {
      const file = await lessonsOf(among);
      if (file) return [file];
    }
    const note = await noteOf(name);
    if (note && (isReference || among !== undefined)) return [note];
    const file = plain.startsWith("global/") ? undefined : await lessonsOf(among ?? plain);
    return [note, file].filter((one) => one !== undefined);
  }

  function topicNamed(name: string): TopicName | undefined {
    const plain = name.replace(/^mem:/, "");
    const among = lessons && plain.startsWith(`${lessons.root}/`) ? plain.slice(lessons.root.length + 1) : plain;
    return nameOfTopicPath(among.endsWith(".md") ? among : `${among}.md`);
  }

  async function find(name: RecordName): Promise<readonly FoundRecord[]> {
    const found = await wholes(name.name);
    return name.titles.length === 0 && name.lines === undefined ? found : found.flatMap((one) => partsOf(one, name));
  }

  async function findArchived(given: string): Promise<readonly FoundRecord[]> {
    const name = parseRecordName(given);
    const topic = topicNamed(name.name);
    if (!topic) return [];
    const timeline = await readable((topics) => topics.timeline({ ...topic, archive: true, limit: mostArchived }));
    const archived = timeline?.entries.filter(({ isArchived }) => isArchived) ?? [];
    const found: FoundRecord[] = [];
    for (const path of new Set(archived.map((entry) => entry.path))) {
      const file = await lessonsOf(path);
      const wanted = file?.lessons.filter(
        (one) =>
          originOf({ raw: file.content.slice(one.start, one.end) }) === topic.subtopic &&
          (name.titles.length === 0 || isPrintedAs(one.title, name.titles.at(-1) ?? "")),
      );
      if (file) found.push(...(wanted ?? []).map((piece) => partOf(file, piece)));
    }
    return found;
  }

  return {
    find,
    findArchived,
    require: async (given) => {
      const name = parseRecordName(given);
      const isPart = name.titles.length > 0 || name.lines !== undefined;
      const asItIs = isPart ? await wholes(given) : [];
      const found = asItIs.length > 0 ? asItIs : await find(name);
      const all = found.length === 0 && name.titles.length > 0 ? await findArchived(given) : found;
      const [first, ...others] = all;
      if (first) return [first, ...others];
      const document = isPart ? (await wholes(name.name))[0] : undefined;
      if (document) throw missingPart(given, document);
      throw await missingRecord(name.name, options);
    },
  };
}

const mostArchived = 10_000;

/** Whether something of the document stands outside of the part. */
export function isPart({ content, piece }: FoundRecord): boolean {
  return piece !== undefined && (content.slice(0, piece.start) + content.slice(piece.end)).trim() !== "";
}

function partsOf(found: FoundRecord, name: RecordName): FoundRecord[] {
  const { path, kind, content } = found;
  const pieces = findPieces({ path, kind: kind === "note" ? "memory" : "topic", content }, name);
  return pieces.map((piece) => partOf(found, piece));
}

function partOf(found: FoundRecord, piece: Piece): FoundRecord {
  return { ...found, name: piece.title === "" ? found.name : `${found.name} › ${piece.title}`, piece };
}
