import { counted } from "../app.ts";
import type { Evidence } from "./evidence.ts";

/** Asked once, at the end of a turn: three lines, of which the last says how to decline. */
export function questionOf(evidence: Evidence): string {
  return [
    `Before you finish: ${whatHappened(evidence)}`,
    evidence.kind === "corrected"
      ? "If it holds beyond today, record it once: store_in_memory for a lesson, append_memory for a rule. Search first, and correct an existing record rather than adding a second one."
      : evidence.kind === "outdated"
        ? "If the record no longer holds, correct it with edit_memory."
        : "If the cause would surprise the next session, record cause and fix once with store_in_memory. Most sessions have nothing to record.",
    'Nothing worth keeping? Answer "Nothing to record." Either way, begin no new work.',
  ].join("\n");
}

/** Beside the result that repaired it, where nothing has to be done yet. */
export function mentionOf(evidence: Evidence): string | undefined {
  if (evidence.kind !== "repaired") return undefined;
  return `From Recollect: this error had come back ${counted(evidence.failures - 1, "time", "times")} before it was repaired. If the cause would surprise the next session, store it once with store_in_memory when you are done.`;
}

function whatHappened(evidence: Evidence): string {
  switch (evidence.kind) {
    case "repaired":
      return `a command failed ${counted(evidence.failures, "time", "times")} with one error, also after an edit that was meant to repair it, and passes now.`;
    case "corrected":
      return "the user corrected you.";
    case "outdated":
      return "you were shown a record, and then changed a file that it describes.";
    case "missed":
      return `you searched memory, found nothing, and then changed ${counted(evidence.files, "file", "files")} until a failing command passed.`;
  }
}
