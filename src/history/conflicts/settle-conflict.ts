import {
  asNewName,
  brokenRule,
  type DocumentPath,
  maxKernelSegments,
  parseDocumentPath,
} from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Change, Current, Stamp } from "../../kernel/store.ts";
import { hasNewMarkers } from "./both-texts.ts";
import type { WaitingConflict } from "./find-conflicts.ts";

/** `ours` has the name, `theirs` lies beside it; which side that was before the merge, nobody can tell any more. */
export const keepChoices = ["ours", "theirs", "both", "merged"] as const;
export type KeepChoice = (typeof keepChoices)[number];

export interface SettleRequest {
  readonly keep: KeepChoice;
  /** For `merged`: what both become. */
  readonly text?: string | undefined;
  /** What was looked at; where it is something else by now, nothing is done. */
  readonly seen?: SeenRevisions | undefined;
}

/** Undefined where there was nothing. */
export interface SeenRevisions {
  readonly ours: Rev | undefined;
  readonly theirs: Rev | undefined;
}

export interface Settled {
  readonly keep: KeepChoice;
  /** The document that has the name now; undefined where none is left. */
  readonly rev: Rev | undefined;
  /** With `both`: where the other version is kept. */
  readonly kept?: Address | undefined;
}

const maxNames = 20;

/** Ends a conflict as one operation, through the kernel: both versions stay in history, as revisions. */
export async function settleConflict(
  documents: Documents,
  conflict: WaitingConflict,
  request: SettleRequest,
  stamp: Stamp,
): Promise<Settled> {
  const { at, original } = conflict;
  const { keep, seen } = request;
  const others = keep === "both" ? namesBeside(original) : [];
  // Nobody reads a folder; what becomes of the other version need not wait for it.
  const isFolder = await hasFolder(documents, original);
  let kept: Address<DocumentPath> | undefined;
  let before: Rev | undefined;
  const result = await documents.commit(
    [...(isFolder && !["theirs", "merged"].includes(keep) ? [] : [original]), at, ...others],
    (current): Change[] | { kind: "gone" | "changed" | "no name" } => {
      const [ours, theirs] = [isFolder ? undefined : current(original), current(at)];
      if (!theirs) return { kind: "gone" };
      before = ours?.rev;
      if (seen && (seen.ours !== ours?.rev || seen.theirs !== theirs.rev)) return { kind: "changed" };
      if (keep === "ours") return [{ kind: "remove", at }];
      if (keep !== "both") return changesFor(request, asNewName(original), at, current);
      kept = others.find((one) => !current(one));
      return kept ? [{ kind: "move", from: at, to: kept }] : { kind: "no name" };
    },
    { ...stamp, reason: `resolve of ${at.path}: kept ${keep}` },
  );
  if (result.kind === "committed") {
    const outcome = result.outcomes.find((one) => one.at.path === original.path);
    return { keep, rev: outcome ? outcome.rev : before, ...(kept ? { kept } : {}) };
  }
  throw refusal(result.kind, at);
}

export function changedMeanwhile({ root, path }: Address): RecollectError {
  return new RecollectError("CONFLICT", `“${path}” or what it belongs to was changed meanwhile. Look again.`, {
    data: { root, path },
  });
}

async function hasFolder(documents: Documents, at: Address): Promise<boolean> {
  try {
    await documents.read(at);
    return false;
  } catch (error) {
    if (isRecollectError(error)) return error.code === "NOT_A_DOCUMENT";
    throw error;
  }
}

function changesFor(
  { keep, text }: SettleRequest,
  named: Address<DocumentPath>,
  at: Address,
  current: Current,
): Change[] {
  const remove: Change = { kind: "remove", at };
  if (keep === "theirs") {
    // What is no text can be moved, and not be put in the place of another.
    if (!current(named)) return [{ kind: "move", from: at, to: named }];
    return [{ kind: "put", at: named, content: current(at)?.content ?? "" }, remove];
  }
  if (text === undefined) throw new RecollectError("INVALID_ARGUMENT", "What do they become? Give the merged text.");
  if (hasNewMarkers(text, [textAt(named, current), textAt(at, current)])) {
    throw new RecollectError("INVALID_CONTENT", "Conflict markers are left in the text. Decide on those places first.");
  }
  return [{ kind: "put", at: named, content: text }, remove];
}

function textAt(at: Address, current: Current): string {
  try {
    return current(at)?.content ?? "";
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_UTF8") return "";
    throw error;
  }
}

/** `build.md` → `build-other.md`, `build-other-2.md` and so on: an ordinary document, which is no conflict any more. */
function namesBeside({ root, path }: Address): Address<DocumentPath>[] {
  const dot = path.lastIndexOf(".");
  const [stem, extension] = dot > path.lastIndexOf("/") + 1 ? [path.slice(0, dot), path.slice(dot)] : [path, ""];
  const names = Array.from({ length: maxNames }, (_, index) => {
    return `${stem}-other${index === 0 ? "" : `-${index + 1}`}${extension}`;
  });
  const valid = names.filter((name) => brokenRule(name) === undefined);
  return valid.map((name) => ({ root, path: parseDocumentPath(name, maxKernelSegments) }));
}

function refusal(kind: "gone" | "changed" | "no name", at: Address): RecollectError {
  const { root, path } = at;
  const data = { root, path };
  if (kind === "gone") return new RecollectError("NOT_FOUND", `“${path}” is gone: somebody settled it.`, { data });
  if (kind === "changed") return changedMeanwhile(at);
  return new RecollectError("NOT_ALLOWED", `No name is free beside “${path}”. Rename it yourself.`, { data });
}
