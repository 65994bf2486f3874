import {
  brokenRule,
  type DocumentPath,
  type ExistingPath,
  isExistingPath,
  parseDocumentPath,
} from "../../kernel/document-path.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { parseRecordName } from "../../kernel/record-name.ts";

const archiveFolder = "archive";
export const indexPath = parseDocumentPath("index.md");

const reserved: ReadonlyMap<string, string> = new Map([
  [archiveFolder, "holds what was pruned"],
  [indexPath, "is the index"],
]);

/** One name each; a subtopic may be given with its `.md`. */
export interface TopicName {
  readonly topic: string;
  readonly subtopic: string;
}

export function parseTopicName(topic: string, subtopic: string): TopicName {
  return { topic: parseTopic(topic), subtopic: parseSubtopic(subtopic) };
}

export function parseTopic(topic: string): string {
  const name = parseOneName(topic);
  // In any case: some file systems take them for one.
  const use = reserved.get(name.toLowerCase());
  if (use === undefined) return name;
  throw new RecollectError("INVALID_ARGUMENT", `“${name}” ${use}, and is no topic. Choose another name.`);
}

export function parseSubtopic(subtopic: string): string {
  return parseOneName(typeof subtopic === "string" ? subtopic.replace(/\.md$/, "") : subtopic);
}

/** In words of its own: the advice of paths, a folder and a file, would be refused again. */
function parseOneName(text: string): DocumentPath {
  try {
    return parseDocumentPath(text, 1);
  } catch (error) {
    if (!isRecollectError(error) || error.code !== "INVALID_PATH") throw error;
    const why = error.data["rule"] === "too-deep" ? "Invalid path: it is more than one name." : error.message;
    const advice = "Give topic and subtopic as one name each, such as build and cache.";
    const message = `${why.replace(/ Give a relative path .*$/, "")} ${advice}`;
    throw new RecollectError("INVALID_PATH", message, { data: error.data, cause: error });
  }
}

export function topicPath({ topic, subtopic }: TopicName): DocumentPath {
  return parseDocumentPath(`${topic}/${subtopic}.md`);
}

/** Parts count from 1; the first has no number in its name. */
export function archivePath(topic: string, year: string, part: number): DocumentPath {
  return parseDocumentPath(`${archiveFolder}/${topic}/${year}${part === 1 ? "" : `-${part}`}.md`);
}

export function archiveOf(topic: string): DocumentPath {
  return parseDocumentPath(`${archiveFolder}/${topic}`);
}

/** The year and part of a file in a topic's archive. */
export function parseArchiveName(name: string): { year: string; part: number } | undefined {
  const match = /^(\d{4})(?:-([2-9]|[1-9]\d{1,5}))?\.md$/.exec(name);
  return match ? { year: match[1] ?? "", part: Number(match[2] ?? 1) } : undefined;
}

/** The topic and subtopic of a document; undefined for the index, the archive and whatever else lies there. */
export function nameOfTopicPath(path: string): TopicName | undefined {
  const [topic, file, ...rest] = path.split("/");
  if (!topic || !file?.endsWith(".md") || rest.length > 0 || topic.toLowerCase() === archiveFolder) return undefined;
  return { topic, subtopic: file.slice(0, -".md".length) };
}

/** The topic whose archive a document belongs to. */
export function topicOfArchivePath(path: string): string | undefined {
  const [folder, topic, file, ...rest] = path.split("/");
  return folder === archiveFolder && file?.endsWith(".md") && rest.length === 0 ? topic : undefined;
}

/** The newest year and its newest part first; what people put there themselves comes last. */
export function compareArchivePaths(left: string, right: string): number {
  const [a, b] = [left, right].map((path) => parseArchiveName(path.split("/").at(-1) ?? ""));
  return Number(b?.year ?? -1) - Number(a?.year ?? -1) || (b?.part ?? 0) - (a?.part ?? 0);
}

/**
 * Whether search may show a file in the folder of topics, also one that people put there: nothing hidden, and not the
 * index, which is made of the titles of others and would be found in their place.
 */
export function isShownPath(path: string): path is ExistingPath {
  const isHidden = path.split("/").some((segment) => segment.startsWith("."));
  return path.endsWith(".md") && path !== indexPath && !isHidden && isExistingPath(path);
}

/** Whether a document is one of this facade: a file of entries, an archive, or the index. */
export function isTopicDocument(path: string): boolean {
  const isOne = path === indexPath || nameOfTopicPath(path) || topicOfArchivePath(path) !== undefined;
  return isOne ? brokenRule(path) === undefined : false;
}

/** What is meant by a topic as surfaces print it, with a subtopic or without. */
interface MeantTopic {
  readonly topic: string;
  readonly subtopic: string | undefined;
  /** Of the one lesson that is meant. */
  readonly title: string | undefined;
  readonly isArchive: boolean;
}

/** `ci`, `ci/cache`, `memory/ci/cache.md`, `mem:ci/cache`, `ci/cache › Stale cache`, `archive/ci/2026`. */
export function meantTopic(given: string, subtopic: string | undefined, root: string): MeantTopic {
  if (typeof given !== "string") return { topic: given, subtopic, title: undefined, isArchive: false };
  const { name, titles } = parseRecordName(given);
  const plain = name.replace(/^mem:/, "");
  const path = plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
  const title = titles.at(-1);
  const archived = topicOfArchivePath(path.endsWith(".md") ? path : `${path}.md`);
  if (archived !== undefined) return { topic: archived, subtopic, title, isArchive: true };
  const parts = path.split("/");
  const [topic = "", last = ""] = parts;
  const own = last.replace(/\.md$/, "");
  const isBoth = parts.length === 2 && (subtopic === undefined || subtopic === own);
  return isBoth
    ? { topic, subtopic: own, title, isArchive: false }
    : { topic: path, subtopic, title, isArchive: false };
}
