import type { ClientName } from "../clients.ts";
import type { Approval, ApprovalPlace, ReadApprovals } from "./approval.ts";
import { claudeCodeApprovals } from "./claude-code.ts";
import { codexApprovals } from "./codex.ts";
import { cursorApprovals } from "./cursor.ts";
import { geminiCliApprovals } from "./gemini-cli.ts";
import { opencodeApprovals } from "./opencode.ts";
import { vscodeApprovals } from "./vscode.ts";

const readers: Readonly<{ [name in ClientName]?: ReadApprovals }> = {
  "claude-code": claudeCodeApprovals,
  codex: codexApprovals,
  "gemini-cli": geminiCliApprovals,
  cursor: cursorApprovals,
  vscode: vscodeApprovals,
  opencode: opencodeApprovals,
};

/** What a client still wants from the user, or was told by them. */
export function approvalsOf(client: ClientName, place: ApprovalPlace): Approval[] {
  return readers[client]?.(place) ?? [];
}
