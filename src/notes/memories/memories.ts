import { type Conflict, type Expectation, meets } from "../../kernel/conflict.ts";
import { asNewName } from "../../kernel/document-path.ts";
import { type Documents, defaultLimits } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { type Excerpt, excerpt, type LineRange } from "../../kernel/line-range.ts";
import { type Log, noLog } from "../../kernel/log.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Change, Stamp, StoredDocument } from "../../kernel/store.ts";
import { splitFrontMatter } from "../../text/front-matter.ts";
import { type CheckReport, checkMemories } from "./check-memories.ts";
import { type EditedMemory, editMemory } from "./edit-memory.ts";
import type { TextEdit } from "./edit-text.ts";
import { type ListMemoriesRequest, listPage, type MemoryPage } from "./list-memories.ts";
import { createMemoryLocator, documentOf } from "./locate-memory.ts";
import { goneError, lostError } from "./memory-errors.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { createMemoryHomes } from "./memory-homes.ts";
import { type MemoryOverview, overviewOf } from "./overview.ts";
import type { RegexRunner } from "./regex-runner.ts";
import { type RenamedMemory, renameMemory } from "./rename-memory.ts";
import { listNames } from "./survey-memories.ts";

export type { EditedMemory } from "./edit-memory.ts";

export interface MemoriesOptions {
  readonly documents: Documents;
  /** In the order in which they are searched; at most one primary and one global. */
  readonly folders: readonly MemoryFolder[];
  /** What a caller is told who makes a note and whose folder for it is none of these; undefined says how to get one. */
  readonly noNewNotes?: RecollectError | undefined;
  readonly regex: RegexRunner;
  /** Who works on them: an agent or a person. */
  readonly stamp: Stamp;
  readonly log?: Log;
  /** The limit that the documents have: what references would make larger stays as it is. */
  readonly documentBytes?: number;
}

/** A note, or the lines of it that were asked for. */
export interface ReadMemory extends Excerpt {
  readonly name: string;
  readonly folder: string;
  readonly rev: Rev;
}

/** A note after it was written or appended to. */
export interface WrittenMemory {
  readonly name: string;
  readonly folder: string;
  readonly rev: Rev;
  /** False where it replaced or extended what was there. */
  readonly created: boolean;
}

/** What a memory becomes, from what is in it; undefined where it does not exist. */
type NextText = (before: StoredDocument | undefined) => {
  readonly kind: "put" | "append";
  readonly content: string;
};

/** One operation on the memory at a place, whichever spelling led there. */
export type ChangeMemoryAt = (place: Address, expected: Expectation, to: NextText) => Promise<WrittenMemory>;

export interface DeletedMemory {
  readonly name: string;
  readonly folder: string;
  /** The folder whose memory of the same name shows through now. */
  readonly uncovered: string | undefined;
}

/** Named notes over a primary and additional folders, with the user's own beside them (MEM-1 to MEM-15). */
export interface Memories {
  list(request?: ListMemoriesRequest): Promise<MemoryPage>;
  /** All names, sorted, from the names in the folders alone. */
  names(): Promise<readonly string[]>;
  /** What there is in a few lines: of many memories, from names and the newest changes alone. */
  overview(): Promise<MemoryOverview>;
  read(name: string, range?: LineRange & { readonly maxChars?: number | undefined }): Promise<ReadMemory>;
  /** Where it exists already, else by the prefix of its name, else in the primary folder. */
  write(name: string, content: string, expected?: Expectation): Promise<WrittenMemory>;
  edit(name: string, edit: TextEdit, expected?: Expectation): Promise<EditedMemory>;
  /** Adds whole lines at the end; creates what is missing. */
  append(name: string, content: string, expected?: Expectation): Promise<WrittenMemory>;
  /** Adds whole lines at the beginning, after front matter. */
  prepend(name: string, content: string, expected?: Expectation): Promise<WrittenMemory>;
  /** Moves it and rewrites what refers to it, as one operation. Never overwrites. */
  rename(oldName: string, newName: string, expected?: Expectation): Promise<RenamedMemory>;
  delete(name: string, expected?: Expectation): Promise<DeletedMemory>;
  /** References that lead nowhere, and names that hide others. */
  check(): Promise<CheckReport>;
}

const defaultReadChars = 150_000;

export function createMemories(options: MemoriesOptions): Memories {
  const { documents, folders, regex, stamp, log = noLog, documentBytes = defaultLimits.documentBytes } = options;
  const allNames = async () => (await listNames(documents, locator)).map(({ name }) => name);
  const locator = createMemoryLocator({ documents, folders, allNames });
  const { routeOf, inHome } = createMemoryHomes(locator, log, options.noNewNotes);

  /** One operation on the memory at a place, whichever spelling led there. */
  const changeAt: ChangeMemoryAt = async (place, expected, to) => {
    const known = locator.identify(place);
    if (!known) throw foreignPlace(place);
    const { at, name, folder } = known;
    const target = asNewName(at);
    const result = await documents.commit(
      [target],
      (current): Change[] | Conflict => {
        const before = current(target);
        if (!meets(expected, before?.rev)) return { kind: "conflict", at: target, current: before?.rev };
        return [{ at: target, ...to(before) }];
      },
      stamp,
    );
    if (result.kind === "conflict") throw lostError(name, result, expected);
    const [outcome] = result.outcomes;
    if (!outcome?.rev) throw new Error("a written memory has a revision");
    return { name, folder: folder.root, rev: outcome.rev, created: outcome.was === undefined };
  };

  /** One operation on a memory where it is, or where it belongs. */
  async function change(given: string, expected: Expectation, to: NextText): Promise<WrittenMemory> {
    const found = await locator.find(given);
    if (found) return changeAt(found.at, expected, to);
    const placed = locator.placedIn(given);
    if (placed) return changeAt({ root: placed.folder.root, path: placed.name.path }, expected, to);
    return inHome(given, (at) => changeAt(at, expected, to));
  }

  /** After a deletion, which stays done whatever lies under the name elsewhere: a link, say, shows nothing. */
  async function nowShowing(name: string): Promise<string | undefined> {
    try {
      return (await locator.find(name))?.folder.root;
    } catch (error) {
      if (isRecollectError(error)) return undefined;
      throw error;
    }
  }

  return {
    list: (request = {}) => listPage(documents, locator, request),
    names: allNames,
    overview: () => overviewOf(documents, locator, folders),
    read: async (given, { maxChars = defaultReadChars, ...range } = {}) => {
      const found = await locator.require(given);
      const { content, rev } = documentOf(found);
      return { name: found.name, folder: found.folder.root, rev, ...excerpt(content, range, maxChars) };
    },
    write: (given, content, expected = {}) => change(given, expected, () => ({ kind: "put", content })),
    edit: async (given, edit, expected = {}) =>
      editMemory(await locator.require(given), edit, expected, { documents, regex, changeAt }),
    append: (given, content, expected = {}) =>
      change(given, expected, (before) => ({
        kind: "append",
        content: lineBreakAfter(before?.content ?? "") + content,
      })),
    prepend: (given, content, expected = {}) =>
      change(given, expected, (before) => {
        const { frontMatter, body } = splitFrontMatter(before?.content ?? "");
        const above = frontMatter === "\uFEFF" ? frontMatter : frontMatter + lineBreakAfter(frontMatter);
        return { kind: "put", content: above + content + (body === "" ? "" : lineBreakAfter(content)) + body };
      }),
    rename: (oldName, newName, expected = {}) =>
      renameMemory(oldName, newName, { documents, locator, stamp, routeOf, documentBytes, expected }),
    delete: async (given, expected = {}) => {
      const { name, folder, at } = await locator.require(given);
      const result = await documents.remove(at, stamp, expected);
      if (!result) throw goneError(name);
      if (result.kind === "conflict") throw lostError(name, result, expected);
      return { name, folder: folder.root, uncovered: await nowShowing(name) };
    },
    check: () => checkMemories(documents, locator),
  };
}

function lineBreakAfter(text: string): string {
  return text === "" || text.endsWith("\n") ? "" : "\n";
}

function foreignPlace({ path }: Address): RecollectError {
  return new RecollectError("NOT_ALLOWED", "This place belongs to something else than memories. Choose another name.", {
    data: { path },
  });
}
