import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { originalOfConflict } from "../../kernel/merge/conflict-path.ts";
import { readAhead } from "../../kernel/read-ahead.ts";
import type { Rev } from "../../kernel/revision.ts";
import { splitFrontMatter } from "../../text/front-matter.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import { nameOfPath } from "./memory-name.ts";
import { compareNames, type ListedName, surveyMemories } from "./survey-memories.ts";

/** A note in a list. */
export interface MemoryEntry {
  readonly name: string;
  readonly folder: string;
  readonly readOnly: boolean;
  /** Other folders that hold the name as well; what they hold is not shown. */
  readonly shadowed: readonly string[];
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly rev: Rev | undefined;
  readonly summary: string;
  /** Why it cannot be read, or is not named as new ones are. */
  readonly remark?: string;
  /** The memory that it is another version of: a merge left it here for somebody to decide (HIST-4). */
  readonly conflictOf?: string;
}

/** One page of a list of notes, in the order of their names. */
export interface MemoryPage {
  readonly memories: readonly MemoryEntry[];
  readonly total: number;
  /** How many are not on this page, before or after it. */
  readonly leftOut: number;
  /** For the next page; undefined at the end. */
  readonly next: string | undefined;
}

/** Which notes to list, and how many at once. */
export interface ListMemoriesRequest {
  readonly topic?: string;
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

const defaultLimit = 100;
const maxLimit = 1000;

export async function listPage(
  documents: Documents,
  locator: MemoryLocator,
  request: ListMemoriesRequest,
): Promise<MemoryPage> {
  const limit = request.limit ?? defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new RecollectError("INVALID_ARGUMENT", `The limit is a whole number from 1 to ${maxLimit}.`);
  }
  const { names, links } = await surveyMemories(documents, locator, request.topic);
  const all = [...names, ...links].sort((a, b) => compareNames(a.name, b.name));
  const { after } = request;
  const begin = after === undefined ? 0 : all.filter(({ name }) => compareNames(name, after) <= 0).length;
  const page = all.slice(begin, begin + limit);
  const memories: MemoryEntry[] = [];
  for await (const [, entry] of readAhead(page, (listed) => describe(documents, listed))) memories.push(entry);
  return {
    memories,
    total: all.length,
    leftOut: all.length - memories.length,
    next: begin + limit < all.length ? page.at(-1)?.name : undefined,
  };
}

async function describe(documents: Documents, { name, places }: ListedName): Promise<MemoryEntry> {
  const [first, ...others] = places;
  if (!first) throw new Error("a listed name has a place");
  const plain = {
    name,
    folder: first.folder.root,
    readOnly: first.folder.readOnly || documents.isProtected(first.at),
    shadowed: others.map(({ folder }) => folder.root),
    ...(first.remark === undefined ? {} : { remark: first.remark }),
    ...conflictAt(first.at.path, first.folder.kind === "global"),
  };
  const unread = { ...plain, size: 0, modified: 0, rev: undefined, summary: "" };
  if (first.remark === "link") return unread;
  try {
    const document = await documents.read(first.at);
    if (!document) return { ...unread, remark: "gone" };
    const { content, modified, rev, isShared } = document;
    const remark = isShared && plain.remark === undefined ? { remark: "hard-link" } : {};
    return { ...plain, ...remark, size: Buffer.byteLength(content), modified, rev, summary: summarize(content) };
  } catch (error) {
    // One that cannot be read keeps nobody from seeing the others.
    if (!isRecollectError(error)) throw error;
    return { ...unread, remark: String(error.data["reason"] ?? error.code.toLowerCase().replaceAll("_", "-")) };
  }
}

function conflictAt(path: string, isGlobal: boolean): Pick<MemoryEntry, "conflictOf"> {
  const original = originalOfConflict(path);
  const name = original === undefined ? undefined : nameOfPath(original, isGlobal);
  return name === undefined ? {} : { conflictOf: name };
}

const longestSummary = 120;

/** One line about a memory: the summary that its front matter gives, or else its first heading or line. */
export function summarize(content: string): string {
  const { frontMatter, body } = splitFrontMatter(content);
  return shorten(givenSummary(frontMatter) ?? firstLine(body));
}

function givenSummary(frontMatter: string): string | undefined {
  const [, value = "", below = ""] = /^summary:[ \t]*(.*)$((?:\r?\n(?:[ \t]+.*|(?=\r?\n)))*)/m.exec(frontMatter) ?? [];
  // A block scalar: its text is what is indented below.
  const text = /^[|>][-+\d]*$/.test(value.trim()) ? below : unquoted(value.trim());
  return text.trim() === "" ? undefined : text.trim();
}

function unquoted(value: string): string {
  const [, mark, inside = ""] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (mark === "'") return inside.replaceAll("''", "'");
  return mark ? inside.replace(/\\(["\\])/g, "$1") : value;
}

function firstLine(body: string): string {
  const lines = body.split("\n", 50).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}[ \t]+\S/.test(line));
  return (heading ?? lines.find((line) => line !== "" && !/^-{3,}$/.test(line)) ?? "").replace(/^#{1,6}[ \t]+/, "");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  // A character takes two units at most: no need to look at the rest.
  const characters = [...line.slice(0, 2 * longestSummary + 2)];
  return characters.length > longestSummary ? `${characters.slice(0, longestSummary - 1).join("")}…` : line;
}
