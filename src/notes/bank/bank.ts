import { conflictError, type Expectation } from "../../kernel/conflict.ts";
import { type DocumentPath, parseDocumentPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type Excerpt, excerpt, type LineRange } from "../../kernel/line-range.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Stamp } from "../../kernel/store.ts";
import { bankRoots } from "./bank-roots.ts";
import { type ParseIgnoreFile, parseGitignore } from "./gitignore.ts";
import { type FolderContents, listFolder } from "./list-folder.ts";
import { type BankAreas, createLocatePath, type Located, nameOf } from "./locate-path.ts";

export const taskFileKinds = ["plan", "review"] as const;

export type TaskFileKind = (typeof taskFileKinds)[number];

export interface BankFile extends Excerpt {
  readonly path: string;
  readonly rev: Rev;
}

export interface CreatedFile {
  /** As it can be read again. */
  readonly path: string;
  readonly rev: Rev;
  readonly overwrote: boolean;
}

export interface CreatedTaskFile extends CreatedFile {
  readonly from: "content" | "template" | "nothing";
}

/** The files of the project and of its central memory, as tools reach them: nothing is ever deleted or moved. */
export interface Bank {
  /** Lines count from 0, both ends included. */
  readFile(path: string, options?: LineRange & { readonly maxChars?: number | undefined }): Promise<BankFile>;
  listFolder(
    path: string,
    options?: { readonly recursive?: boolean; readonly limit?: number; readonly skipIgnored?: boolean },
  ): Promise<FolderContents>;
  /** Replaces what is there unless told otherwise; in the bank the former revision is kept for history. */
  createFile(path: string, content: string, expected?: Expectation): Promise<CreatedFile>;
  createTaskFile(taskId: string, kind: TaskFileKind, content?: string): Promise<CreatedTaskFile>;
}

export interface BankOptions {
  readonly documents: Documents;
  readonly stamp: Stamp;
  /** Undefined where no memory path is configured: then the project part works alone. */
  readonly areas?: BankAreas | undefined;
  /** False without a project: then the bank part works alone. */
  readonly hasProject: boolean;
  readonly ignore?: ParseIgnoreFile;
}

/** What Serena allows an answer to have. */
const defaultMaxChars = 150_000;
const defaultEntries = 1000;
const mostEntries = 10_000;

export function createBank({ documents, stamp, areas, hasProject, ignore = parseGitignore }: BankOptions): Bank {
  const locate = createLocatePath({ areas, hasProject });

  function fileAt(place: Located): Address {
    if (place.path !== undefined) return { root: bankRoots[place.area], path: place.path };
    throw new RecollectError("NOT_A_DOCUMENT", `“${nameOf(place, areas)}” is a folder. Name a file in it.`, {
      data: { reason: "folder" },
    });
  }

  /** A folder may be written with a slash at its end. */
  function locateFolder(given: string): Located {
    return locate(typeof given === "string" && /[^/]\/$/.test(given) ? given.slice(0, -1) : given);
  }

  async function create(place: Located, content: string, expected: Expectation): Promise<CreatedFile> {
    const at = fileAt(place) as Address<DocumentPath>;
    const result = await documents.write(at, content, stamp, expected);
    if (result.kind === "conflict") throw conflictError(result, expected);
    const { rev, was } = result.outcome;
    if (!rev) throw new RecollectError("STORAGE_FAILED", "The store acknowledged nothing.");
    return { path: nameOf(place, areas), rev, overwrote: was !== undefined };
  }

  async function contentFor(kind: TaskFileKind, content: string | undefined) {
    if (content !== undefined) return { content, from: "content" as const };
    const path = parseDocumentPath(`${kind}-mode.md`);
    const isSeen = areas !== undefined && areas.templates.length > 0;
    const template = isSeen ? await documents.read({ root: bankRoots.templates, path }) : undefined;
    return template
      ? { content: template.content, from: "template" as const }
      : { content: "", from: "nothing" as const };
  }

  return {
    readFile: async (path, { maxChars, ...range } = {}) => {
      const place = locate(path);
      const at = fileAt(place);
      const document = await documents.read(at);
      if (!document) {
        throw new RecollectError("NOT_FOUND", `There is no file “${at.path}”. List its folder to see what is there.`, {
          data: { root: at.root, path: at.path },
        });
      }
      const shown = excerpt(document.content, range, atMost(maxChars, defaultMaxChars, "number of characters"));
      return { path: nameOf(place, areas), rev: document.rev, ...shown };
    },
    listFolder: async (path, { recursive = false, limit, skipIgnored = true } = {}) => {
      const place = locateFolder(path);
      return listFolder(documents, {
        root: bankRoots[place.area],
        folder: place.path,
        recursive,
        limit: Math.min(atMost(limit, defaultEntries, "limit of a list"), mostEntries),
        ignore: place.area === "project" && skipIgnored ? ignore : undefined,
      });
    },
    createFile: async (path, content, expected = {}) => create(locate(path), content, expected),
    createTaskFile: async (taskId, kind, content) => {
      if (!areas || areas.bank.length === 0) {
        throw new RecollectError("NOT_ALLOWED", "Task files lie in the bank, and no memory path is configured.");
      }
      if (!taskFileKinds.includes(kind)) {
        throw new RecollectError("INVALID_ARGUMENT", `The kind of a task file is one of ${taskFileKinds.join(", ")}.`);
      }
      const path = parseDocumentPath(`develop/${parseDocumentPath(taskId, 1)}/${kind}-mode.md`);
      const made = await contentFor(kind, content);
      return { ...(await create({ area: "bank", path }, made.content, { mustNotExist: true })), from: made.from };
    },
  };
}

/** Serena's −1 means the default, too. */
function atMost(given: number | undefined, usual: number, what: string): number {
  if (given === undefined || given === -1) return usual;
  if (Number.isInteger(given) && given > 0) return given;
  throw new RecollectError("INVALID_ARGUMENT", `The ${what} is a whole number from 1.`);
}
