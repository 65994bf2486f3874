import type { ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { type ErrorCode, isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { GlobWork } from "../../kernel/glob.ts";
import type { IgnoreRules, ParseIgnoreFile } from "./gitignore.ts";

/** About a second: a project that is not hostile needs a thousandth of it. */
const mostSteps = 20_000_000;
const mostBytes = 64 * 1024;

/** What an ignore file cannot be read as is no ignore file, to git as well. */
const unreadable: ReadonlySet<ErrorCode> = new Set([
  "NOT_A_DOCUMENT",
  "NOT_UTF8",
  "TOO_LARGE",
  "PERMISSION_DENIED",
  "NOT_ALLOWED",
]);

/** The `.gitignore` files from the root down to a folder, innermost first. */
export interface IgnoreScope {
  isIgnored(path: ExistingPath, isFolder: boolean): boolean;
  /** The same with the file of a folder one deeper, if it has one. */
  enter(folder: ExistingPath): Promise<IgnoreScope>;
}

export async function openIgnoreScope(options: {
  documents: Documents;
  root: string;
  parse: ParseIgnoreFile;
}): Promise<IgnoreScope> {
  const { documents, root, parse } = options;
  const work: GlobWork = { steps: 0 };

  async function rulesOf(folder: string): Promise<{ prefix: string; rules: IgnoreRules }[]> {
    const prefix = folder === "" ? "" : `${folder}/`;
    try {
      const file = await documents.read({ root, path: `${prefix}.gitignore` as ExistingPath });
      return file ? [{ prefix, rules: parse(file.content.slice(0, mostBytes)) }] : [];
    } catch (error) {
      if (isRecollectError(error) && unreadable.has(error.code)) return [];
      throw error;
    }
  }

  function scopeOf(innermostFirst: readonly { prefix: string; rules: IgnoreRules }[]): IgnoreScope {
    return {
      isIgnored: (path, isFolder) => {
        for (const { prefix, rules } of innermostFirst) {
          const verdict = rules(path.slice(prefix.length), isFolder, work);
          if (work.steps > mostSteps) throw tooMuchWork();
          if (verdict) return verdict === "ignored";
        }
        return false;
      },
      enter: async (folder) => scopeOf([...(await rulesOf(folder)), ...innermostFirst]),
    };
  }

  return scopeOf(await rulesOf(""));
}

function tooMuchWork(): RecollectError {
  return new RecollectError(
    "TOO_LARGE",
    "The “.gitignore” files here take too long to apply. List a smaller folder, or ask for ignored files as well.",
  );
}
