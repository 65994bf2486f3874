import { noHistoryYet, type VerifyFinding } from "../../kernel/finding.ts";
import type { Verification } from "../verify/verify-workspace.ts";
import type { Finding } from "./diagnose.ts";

const levels = { note: "note", "changed outside": "note", unchecked: "problem", damaged: "problem" } as const;
const order: readonly VerifyFinding["level"][] = ["damaged", "unchecked", "changed outside", "note"];
const words: Readonly<Partial<Record<VerifyFinding["part"], string>>> = {
  document: "changed",
  archive: "changed",
  index: "changed",
};

/** What `verify` finds, so that `doctor` is never content where `verify` is not (HIST-4b). */
export function verifyFindings(
  verification: Verification | undefined,
  isWanted: (says: string) => boolean = () => true,
): Finding[] {
  if (!verification) return [];
  // The worst first: a long list is cut off.
  return verification.findings
    .toSorted((one, other) => order.indexOf(one.level) - order.indexOf(other.level))
    .filter(({ says, isOfTopics }) => !isOfTopics && says !== noHistoryYet && isWanted(says))
    .map(({ level, root, part, says, remedy }) => ({
      level: levels[level],
      about: words[part] ?? part,
      says: `${root}: ${says}`,
      ...(remedy === "" ? {} : { remedy }),
      ...(level === "note" ? {} : { verified: level }),
    }));
}
