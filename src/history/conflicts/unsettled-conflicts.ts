import { isExistingPath, parseExistingPath } from "../../core/document-path.ts";
import type { Documents } from "../../core/documents.ts";
import { RecollectError } from "../../core/errors.ts";
import type { Address, Change, Stamp } from "../../core/store.ts";
import { originalOfConflict } from "../merge/conflict-path.ts";
import type { TreeConflict } from "../merge/tree-conflict.ts";
import type { KeepChoice } from "./settle-conflict.ts";

/** What a merge decided that a person may see otherwise, where nothing lies beside it as a conflict. */
export interface UnsettledConflict {
  readonly conflict: TreeConflict;
  readonly at: Address;
  readonly name: string;
  /** What happened, as a sentence that goes on from the name. */
  readonly says: string;
  /** What can be chosen, and what that does. */
  readonly choices: readonly { readonly keep: KeepChoice; readonly does: string }[];
  /** What a person can do instead, with an editor. */
  readonly byHand?: string;
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
  return { conflict, at, name: nameOf(at), ...wordsOf(conflict, called) };
}

function wordsOf(
  conflict: TreeConflict,
  called: (path: string) => string,
): Pick<UnsettledConflict, "says" | "choices" | "byHand"> {
  switch (conflict.kind) {
    case "entries-doubled": {
      const titles = conflict.titles.map((title) => `“${title}”`).join(", ");
      return {
        says: `both sides changed ${titles}, and both versions are in it`,
        choices: [{ keep: "both", does: "both versions stay" }],
        byHand: "take one version out of the file",
      };
    }
    case "deleted-and-changed":
      return {
        says: "one side deleted what the other changed, and the change is kept",
        choices: [
          { keep: "ours", does: "it stays" },
          { keep: "theirs", does: "it is deleted" },
        ],
      };
    case "same-name":
      return {
        says: `some systems take its name for that of ${called(conflict.other)}`,
        choices: [{ keep: "both", does: "both names stay" }],
        byHand: "rename one of them",
      };
    default: {
      const other = called(conflict.beside);
      return {
        says: `both sides renamed it, and it is there as ${other} too`,
        choices: [
          { keep: "ours", does: `${other} is deleted` },
          { keep: "theirs", does: `only ${other} stays` },
          { keep: "both", does: "both stay" },
        ],
      };
    }
  }
}

/** What a choice takes away; undefined where it takes nothing. */
function removedBy({ conflict, at }: UnsettledConflict, keep: KeepChoice): Address | undefined {
  if (conflict.kind === "deleted-and-changed") return keep === "theirs" ? at : undefined;
  if (conflict.kind !== "renamed-twice" || keep === "both") return undefined;
  return keep === "theirs" ? at : { root: at.root, path: parseExistingPath(conflict.beside) };
}

/** What was taken away is in history, as any other change. */
export async function settleUnsettled(
  documents: Documents,
  unsettled: UnsettledConflict,
  keep: KeepChoice,
  stamp: Stamp,
): Promise<void> {
  if (!unsettled.choices.some((one) => one.keep === keep)) {
    const choices = unsettled.choices.map((one) => `${one.keep} (${one.does})`).join(", ");
    const byHand = unsettled.byHand === undefined ? "" : `; or ${unsettled.byHand}`;
    throw new RecollectError("INVALID_ARGUMENT", `Of “${unsettled.name}” can be kept: ${choices}${byHand}.`);
  }
  const removed = removedBy(unsettled, keep);
  if (!removed) return;
  await documents.commit(
    [removed],
    (current): Change[] | "gone" => (current(removed) ? [{ kind: "remove", at: removed }] : "gone"),
    { ...stamp, reason: `resolve of ${unsettled.at.path}: kept ${keep}` },
  );
}
