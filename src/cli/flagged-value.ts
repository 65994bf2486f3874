import { hash } from "node:crypto";
import { createGuard, RecollectError, type Workspace } from "../index.ts";

const longest = 8192;

/**
 * The value that the guard finds in a line. A finding does not hold it: it is the text from where the finding begins
 * whose fingerprint is that of the finding.
 */
export async function findFlaggedValue(workspace: Workspace, name: string, line: number): Promise<string> {
  const history = await workspace.history();
  const text = (await history.show(await history.locate(name))).text ?? "";
  const guard = createGuard({ policy: "standard", allowed: new Set() });
  const findings = guard.scan(text).filter((one) => one.line === line);
  const from =
    text
      .split("\n")
      .slice(0, line - 1)
      .join("\n").length + (line > 1 ? 1 : 0);
  for (const { rule, column, fingerprint } of findings) {
    const start = from + column - 1;
    for (let end = Math.min(text.length, start + longest); end > start; end -= 1) {
      const value = text.slice(start, end);
      if (hash("sha256", `${rule}\n${value}`, "hex").slice(0, 32) === fingerprint) return value;
    }
  }
  throw new RecollectError(
    "NOT_FOUND",
    findings.length === 0
      ? `The guard finds nothing in line ${line}. Give the value itself, by --value-file or on standard input.`
      : "What the guard finds there cannot be told from the rest. Give the value itself, by --value-file.",
  );
}
