import { basename, dirname } from "node:path";
import { codeOf, readConfigFile, removeConfigFile, writeConfigFile } from "./config-file.ts";
import type { Found } from "./pieces.ts";
import type { Owner, PlannedFile } from "./planned-file.ts";
import type { SetupRecord, SetupRecords } from "./setup-record.ts";

type FileStatus = "new" | "changed" | "unchanged" | "deleted" | "refused";

/** What would become of one file. Nothing is written before `applyFilePlan`. */
export interface FilePlan extends Found {
  /** Whose file it is: a client's, or the project's own. */
  readonly client: Owner["name"];
  readonly title: string;
  /** Whether the client's files are known from its documentation alone. */
  readonly isDocumented: boolean;
  /** For people: below the project, or with ~. */
  readonly shown: string;
  readonly path: string;
  readonly below?: string | undefined;
  readonly status: FileStatus;
  /** Whether an entry of ours that differs is replaced. */
  readonly replaces: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly diff: readonly string[];
  /** What the parts of it are for, for people. */
  readonly does: readonly string[];
  /** Why it, or a part of it, was left alone. */
  readonly reason?: string;
  /** What is kept for `uninstall`; undefined where nothing is, then. */
  readonly record?: SetupRecord;
  readonly records: SetupRecords;
  /** Whether it takes out what is ours. */
  readonly isRemoval: boolean;
}

/** Writes what was planned, unless the file has become another one since. Returns why not, in words. */
export function applyFilePlan(plan: FilePlan): string | undefined {
  const { before, after, status, record, records, isRemoval } = plan;
  if (status === "refused") return undefined;
  const current = readConfigFile(plan);
  if (current.kind === "refused") return current.reason;
  const now = current.kind === "present" ? current.text : undefined;
  // Another init may have written the very same.
  if (now === after && now !== before) return undefined;
  if (now !== before) return "it has changed meanwhile; run this again";
  try {
    // First what takes it back: whatever happens in between, nothing is written that nobody remembers.
    if (!isRemoval && record !== undefined) records.write(record);
    if (before !== undefined && after === undefined)
      removeConfigFile(current.path, record?.folders ?? foldersOf(plan.path));
    else if (after !== undefined && after !== before) {
      writeConfigFile(current.path, after, current.kind === "present" ? current.mode : undefined);
    }
    if (isRemoval) records.forget(plan.path);
    return undefined;
  } catch (error) {
    return `it cannot be written (${codeOf(error)}); see that you may write to it and to its folder`;
  }
}

/** Where no record tells which ones were made: those of skills, which are good for nothing else. */
function foldersOf(path: string): string[] {
  return basename(path) === "SKILL.md" ? [dirname(path), dirname(dirname(path))] : [];
}

export const nothingFound: Found = { kept: [], dropped: [], serena: [] };

/** A plan that leaves the file as it is. */
export function planNothing(
  file: PlannedFile,
  before: string | undefined,
  records: SetupRecords,
  isRemoval: boolean,
): FilePlan {
  const { client, shown, path, below, pieces } = file;
  return {
    client: client.name,
    title: client.title,
    isDocumented: "isVerified" in client && client.isVerified === false,
    shown,
    path,
    below,
    records,
    status: "unchanged",
    isRemoval,
    replaces: false,
    before,
    after: before,
    diff: [],
    does: [...new Set(pieces.map(({ does }) => does))],
    ...nothingFound,
  };
}
