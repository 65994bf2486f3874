import { isExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { originalOfConflict } from "../../kernel/merge/conflict-path.ts";
import type { TreeConflict } from "../../kernel/merge/tree-conflict.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Change, Stamp } from "../../kernel/store.ts";
import type { ConflictChoice } from "./conflict-choices.ts";
import { changedMeanwhile, type KeepChoice, type SeenRevisions, type SettleRequest } from "./settle-conflict.ts";

/** What a merge decided that a person may see otherwise, where nothing lies beside it as a conflict. */
export interface UnsettledConflict {
  readonly conflict: TreeConflict;
  readonly at: Address;
  readonly name: string;
  /** What happened, as a sentence that goes on from the name. */
  readonly says: string;
  readonly choices: readonly ConflictChoice[];
  /** What a person can do instead, with an editor. */
  readonly byHand?: string;
}

/** As it is now. */
export interface UnsettledView extends UnsettledConflict {
  /** Its revision as ours, that of the other document it is about as theirs; undefined where one is no text. */
  readonly seen: SeenRevisions | undefined;
}

/** Where the conflicts of syncs are kept. */
export interface UnsettledSource {
  readonly root: string;
  list(): Promise<readonly TreeConflict[]>;
  /** Somebody looked at it. */
  dismiss(conflict: TreeConflict): Promise<void>;
}

/** Those that lie beside a document under a conflict's name are found by that name. */
export function isWithoutDocument(conflict: TreeConflict): boolean {
  return !("beside" in conflict) || conflict.beside === undefined || originalOfConflict(conflict.beside) === undefined;
}

export function toUnsettled(conflict: TreeConflict, root: string, nameOf: (at: Address) => string): UnsettledConflict {
  const at = { root, path: parseExistingPath(conflict.path) };
  const called = (path: string) => (isExistingPath(path) ? nameOf({ root, path }) : path);
  return { conflict, at, name: nameOf(at), ...wordsOf(conflict, at, called) };
}

function wordsOf(
  conflict: TreeConflict,
  at: Address,
  called: (path: string) => string,
): Pick<UnsettledConflict, "says" | "choices" | "byHand"> {
  switch (conflict.kind) {
    case "entries-doubled": {
      const titles = conflict.titles.map((title) => `“${title}”`).join(", ");
      return {
        says: `both sides changed ${titles}, and both versions are in it`,
        choices: [leaving("both", "both versions stay")],
        byHand: "take one version out of the file",
      };
    }
    case "deleted-and-changed":
      return {
        says: "one side deleted what the other changed, and the change is kept",
        choices: [leaving("ours", "it stays"), deleting("theirs", "it is deleted", at)],
      };
    case "same-name":
      return {
        says: `some systems take its name for that of ${called(conflict.other)}`,
        choices: [leaving("both", "both names stay")],
        byHand: "rename one of them",
      };
    default: {
      const other = called(conflict.beside);
      const beside = { root: at.root, path: parseExistingPath(conflict.beside) };
      return {
        says: `both sides renamed it, and it is there as ${other} too`,
        choices: [
          deleting("ours", `${other} is deleted`, beside),
          deleting("theirs", `only ${other} stays`, at),
          leaving("both", "both stay"),
        ],
      };
    }
  }
}

/** To say that somebody looked at it is to change something as well. */
function leaving(keep: KeepChoice, does: string): ConflictChoice {
  return { keep, does, needs: ["write"] };
}

function deleting(keep: KeepChoice, does: string, deletes: Address): ConflictChoice {
  return { keep, does, deletes, needs: ["write", "delete"] };
}

/** The other document that it is about. */
export function otherOf({ conflict, at }: UnsettledConflict): Address | undefined {
  if (conflict.kind === "same-name") return { root: at.root, path: parseExistingPath(conflict.other) };
  if (!("beside" in conflict)) return undefined;
  return { root: at.root, path: parseExistingPath(conflict.beside) };
}

interface Side {
  readonly rev: Rev | undefined;
}

/** Nothing is deleted in favour of what is not there. */
export function withSides(one: UnsettledConflict, ours: Side | undefined, theirs: Side | undefined): UnsettledView {
  const other = otherOf(one);
  const isThere = (at: Address) => (isSame(at, one.at) ? ours : theirs) !== undefined;
  const choices = one.choices.filter(({ deletes }) => {
    const kept = deletes && keptBeside(one, deletes);
    return !kept || isThere(kept);
  });
  const isKnown = [ours, theirs].every((side) => !side || side.rev !== undefined);
  return { ...one, choices, seen: isKnown ? { ours: ours?.rev, theirs: other && theirs?.rev } : undefined };
}

/** What stays where this one of the two goes; undefined where there is only one. */
function keptBeside(one: UnsettledConflict, deleted: Address): Address | undefined {
  return isSame(deleted, one.at) ? otherOf(one) : one.at;
}

function isSame(one: Address, other: Address): boolean {
  return one.root === other.root && one.path === other.path;
}

/** What was taken away is in history, as any other change. */
export async function settleUnsettled(
  documents: Documents,
  unsettled: UnsettledConflict,
  { keep, seen }: Omit<SettleRequest, "text">,
  stamp: Stamp,
): Promise<void> {
  const { at } = unsettled;
  const choice = unsettled.choices.find((one) => one.keep === keep);
  if (!choice) {
    const choices = unsettled.choices.map((one) => `${one.keep} (${one.does})`).join(", ");
    const byHand = unsettled.byHand === undefined ? "" : `; or ${unsettled.byHand}`;
    throw new RecollectError("INVALID_ARGUMENT", `Of “${unsettled.name}” can be kept: ${choices}${byHand}.`);
  }
  const { deletes } = choice;
  if (!deletes && !seen) return;
  const other = otherOf(unsettled);
  const kept = deletes && keptBeside(unsettled, deletes);
  const result = await documents.commit(
    other ? [at, other] : [at],
    (current): Change[] | "changed" | "as it is" => {
      const isSeen = !seen || (seen.ours === current(at)?.rev && seen.theirs === (other && current(other)?.rev));
      if (!isSeen || (kept && !current(kept))) return "changed";
      return deletes && current(deletes) ? [{ kind: "remove", at: deletes }] : "as it is";
    },
    { ...stamp, reason: `resolve of ${at.path}: kept ${keep}` },
  );
  if (result === "changed") throw changedMeanwhile(at);
}
