import type { Operation } from "../../kernel/root-policy.ts";
import type { Address } from "../../kernel/store.ts";
import type { WaitingConflict } from "./find-conflicts.ts";
import type { KeepChoice } from "./settle-conflict.ts";

/** One way to settle a conflict. */
export interface ConflictChoice {
  readonly keep: KeepChoice;
  /** As a clause that goes on from what is kept. */
  readonly does: string;
  /** What nothing is left of but in history: to be shown before. */
  readonly deletes?: Address;
  /** What must be allowed for it. */
  readonly needs: readonly Operation[];
}

/** What has the name: a text, something that is none, a folder, or nothing. */
type NamedThing = "text" | "no text" | "folder" | "nothing";

/** How a version that lies beside a document can be settled. What is not there cannot be kept. */
export function choicesFor(
  { at, original }: WaitingConflict,
  ours: NamedThing,
  theirs: "text" | "no text",
): ConflictChoice[] {
  const drop: ConflictChoice = {
    keep: "ours",
    does: "nothing of it is left but history",
    deletes: at,
    needs: ["delete"],
  };
  if (ours === "nothing") {
    return [{ keep: "theirs", does: `it is called ${original.path} again`, needs: ["move", "write"] }, drop];
  }
  if (ours === "folder") {
    return [
      { keep: "both", does: "it becomes a document of its own beside the folder", needs: ["move", "write"] },
      drop,
    ];
  }
  const needs = ["write", "delete"] as const;
  return [
    { keep: "ours", does: "theirs goes", needs: ["delete"] },
    // What is no text can be moved, and not be put in the place of another.
    ...(theirs === "text" ? [{ keep: "theirs", does: "ours goes", needs } as const] : []),
    { keep: "both", does: "theirs becomes a document of its own", needs: ["move", "write"] },
    ...(ours === "text" && theirs === "text"
      ? [{ keep: "merged", does: "both become one text of yours", needs } as const]
      : []),
  ];
}
