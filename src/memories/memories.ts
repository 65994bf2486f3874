import { type Conflict, conflictError, type Expectation, meets } from "../core/conflict.ts";
import { type ExistingPath, maxKernelSegments, parseDocumentPath } from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import { isRecollectError, RecollectError } from "../core/errors.ts";
import { type Excerpt, excerpt, type LineRange } from "../core/line-range.ts";
import { type Log, noLog } from "../core/log.ts";
import type { Rev } from "../core/revision.ts";
import type { Address, Change, Stamp, StoredDocument } from "../core/store.ts";
import { type CheckReport, checkMemories } from "./check-memories.ts";
import { editText, type TextEdit } from "./edit-text.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { type ListMemoriesRequest, listNames, listPage, type MemoryPage } from "./list-memories.ts";
import { createMemoryLocator, documentOf, type FoundMemory } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { type MemoryName, parseNewName } from "./memory-name.ts";
import { type MemoryOverview, overviewOf } from "./overview.ts";
import type { RegexRunner } from "./regex-runner.ts";
import { type RenamedMemory, renameMemory } from "./rename-memory.ts";
import { routeByPrefix } from "./route-by-prefix.ts";

export interface MemoriesOptions {
  readonly documents: Documents;
  /** In the order in which they are searched; at most one primary and one global. */
  readonly folders: readonly MemoryFolder[];
  readonly regex: RegexRunner;
  /** Who works on them: an agent or a person. */
  readonly stamp: Stamp;
  readonly log?: Log;
}

export interface ReadMemory extends Excerpt {
  readonly name: string;
  readonly folder: string;
  readonly rev: Rev;
}

export interface WrittenMemory {
  readonly name: string;
  readonly folder: string;
  readonly rev: Rev;
  /** False where it replaced or extended what was there. */
  readonly created: boolean;
}

export interface EditedMemory extends WrittenMemory {
  /** How many matches were replaced. */
  readonly count: number;
}

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
  /** What there is in a few lines: from names and the newest changes alone, whatever the number of memories. */
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
  rename(oldName: string, newName: string): Promise<RenamedMemory>;
  delete(name: string, expected?: Expectation): Promise<DeletedMemory>;
  /** References that lead nowhere, and names that hide others. */
  check(): Promise<CheckReport>;
}

/** What a memory becomes, from what is in it; undefined where it does not exist. */
type NextText = (before: StoredDocument | undefined) => { readonly kind: "put" | "append"; readonly content: string };

const defaultReadChars = 150_000;
const maxEditAttempts = 200;

export function createMemories(options: MemoriesOptions): Memories {
  const { documents, folders, regex, stamp } = options;
  const log = options.log ?? noLog;
  const allNames = async () => (await listNames(documents, locator)).map(({ name }) => name);
  const locator = createMemoryLocator({ documents, folders, allNames });

  function routeOf(name: MemoryName): MemoryFolder | undefined {
    const additional = locator.foldersFor(name).filter(({ kind }) => kind === "additional");
    return name.isGlobal ? undefined : routeByPrefix(name.text, additional);
  }

  /** Where a new memory goes: by its prefix, else into the primary folder, or the user's own. */
  function homesOf(name: MemoryName): readonly MemoryFolder[] {
    const first = locator.foldersFor(name).find(({ kind }) => kind !== "additional");
    const homes = [routeOf(name), first].filter((folder) => folder !== undefined);
    if (homes.length > 0) return homes;
    const says = name.isGlobal
      ? "There is no folder for the user's own memories here."
      : "There is no folder of project memories here, only global/… ones. Start in a project, or ask recollect doctor.";
    throw new RecollectError("NOT_FOUND", says, { data: { name: name.text } });
  }

  /** Does it in the first home that is there: a configured folder that was deleted is left out, as at the start. */
  async function inHome<Result>(given: string, run: (at: Address, folder: MemoryFolder) => Promise<Result>) {
    const name = parseNewName(given);
    const homes = homesOf(name);
    for (const [index, folder] of homes.entries()) {
      try {
        return await run({ root: folder.root, path: name.path }, folder);
      } catch (error) {
        const missing = isRecollectError(error) && error.code === "NOT_FOUND" && error.data["root"] === folder.root;
        if (!missing || index === homes.length - 1) throw error;
        log("warning", "memory folder is gone", { folder: folder.root });
      }
    }
    throw new Error("a memory has a home");
  }

  /** One operation on a memory where it is, or where it belongs. */
  async function change(given: string, expected: Expectation, to: NextText): Promise<WrittenMemory> {
    const found = await locator.find(given);
    if (found) return changeAt(found.at, expected, to);
    return inHome(given, (at) => changeAt(at, expected, to));
  }

  async function changeAt(place: Address, expected: Expectation, to: NextText): Promise<WrittenMemory> {
    const { at, name, folder } = identified(place);
    const target = { root: at.root, path: parseDocumentPath(at.path, maxKernelSegments) };
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

  function identified(at: Address) {
    const known = locator.identify(at);
    if (known) return known;
    throw new RecollectError(
      "NOT_ALLOWED",
      "This place belongs to something else than memories. Choose another name.",
      {
        data: { path: at.path },
      },
    );
  }

  async function editLiterally(found: FoundMemory, edit: TextEdit, expected: Expectation): Promise<EditedMemory> {
    let count = 0;
    const written = await changeAt(found.at, expected, (before) => {
      if (before === undefined) throw goneError(found.name);
      const edited = editText(before.content, edit);
      count = edited.count;
      return { kind: "put", content: edited.text };
    });
    return { ...written, count };
  }

  /** Computed beside the lock, where it can be stopped; so it begins again when somebody else was quicker. */
  async function editByRegex(found: FoundMemory, edit: TextEdit, expected: Expectation): Promise<EditedMemory> {
    for (let attempt = 0; attempt < maxEditAttempts; attempt += 1) {
      const before = attempt === 0 ? documentOf(found) : await documents.read(found.at);
      if (!before) throw goneError(found.name);
      const conflict = { kind: "conflict", at: found.at, current: before.rev } as const;
      if (!meets(expected, before.rev)) throw lostError(found.name, conflict, expected);
      const { text, count } = await regex.edit(before.content, edit);
      const written = await unlessLost(
        changeAt(found.at, { ifRev: before.rev }, () => ({ kind: "put", content: text })),
      );
      if (written) return { ...written, count };
    }
    throw new RecollectError("BUSY", "Others change this memory all the time. Try again.", {
      data: { name: found.name },
    });
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
    edit: async (given, edit, expected = {}) => {
      const found = await locator.require(given);
      return edit.mode === "regex" ? editByRegex(found, edit, expected) : editLiterally(found, edit, expected);
    },
    append: (given, content, expected = {}) =>
      change(given, expected, (before) => ({
        kind: "append",
        content: lineBreakAfter(before?.content ?? "") + content,
      })),
    prepend: (given, content, expected = {}) =>
      change(given, expected, (before) => {
        const { frontMatter, body } = splitFrontMatter(before?.content ?? "");
        const above = frontMatter.endsWith("---") ? `${frontMatter}\n` : frontMatter;
        return { kind: "put", content: above + content + (body === "" ? "" : lineBreakAfter(content)) + body };
      }),
    rename: (oldName, newName) => renameMemory(oldName, newName, { documents, locator, stamp, routeOf }),
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

/** Undefined where somebody else was quicker. */
async function unlessLost<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isRecollectError(error) && error.code === "CONFLICT") return undefined;
    throw error;
  }
}

function lineBreakAfter(text: string): string {
  return text === "" || text.endsWith("\n") ? "" : "\n";
}

/** In the name that the caller knows. */
function lostError(name: string, { at, current }: Conflict, expected: Expectation): RecollectError {
  return conflictError({ kind: "conflict", at: { root: at.root, path: name as ExistingPath }, current }, expected);
}

function goneError(name: string): RecollectError {
  return new RecollectError("NOT_FOUND", `The memory “${name}” was deleted just now.`, { data: { name } });
}
