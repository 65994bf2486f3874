import { type DocumentPath, parseDocumentPath, segmentRules } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { InvalidPathError } from "./errors.ts";

const advice = "Give one plain name such as reviewer.";

/** What the rules of a path say about an id, where the words for a path would mislead. */
const saysOfId: Readonly<Record<string, string>> = {
  "no-text": "is not a text",
  empty: "is empty",
  absolute: "is an absolute path",
  "too-deep": "is more than one name",
  backslash: "holds a backslash",
};

/** One path segment; anything with “..” in it is refused as well, as the first design of this service had it. */
export function parseAgentId(agentId: string): DocumentPath {
  try {
    const folder = parseDocumentPath(agentId, 1);
    if (!folder.includes("..")) return folder;
  } catch (error) {
    if (error instanceof RecollectError && error.code === "INVALID_PATH") throw invalidId(error);
    throw error;
  }
  throw new InvalidPathError("INVALID_PATH", `Invalid agent id: it holds “..”. ${advice}`, {
    data: { rule: "dot-segment" },
  });
}

/** Without the id: what these rules refuse, the guard never saw. */
function invalidId(refused: RecollectError): InvalidPathError {
  const rule = String(refused.data["rule"]);
  const says = saysOfId[rule] ?? segmentRules.find((one) => one.rule === rule)?.says ?? "is no plain name";
  return new InvalidPathError("INVALID_PATH", `Invalid agent id: it ${says}. ${advice}`, {
    data: refused.data,
    cause: refused,
  });
}
