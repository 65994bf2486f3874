import type { ClientName } from "../clients.ts";
import { serverName } from "../server-entry.ts";
import type { Approval, ApprovalPlace, ReadApprovals } from "./approval.ts";
import { claudeCodeApprovals } from "./claude-code.ts";
import { codexApprovals } from "./codex.ts";
import { geminiCliApprovals } from "./gemini-cli.ts";
import { opencodeApprovals } from "./opencode.ts";

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

/** Cursor keeps approvals in a database of the application. */
function cursorApprovals({ server }: ApprovalPlace): Approval[] {
  if (server === undefined) return [];
  return [
    {
      level: "note",
      says: "keeps in its own database whether you approved the server, so that cannot be read here",
      remedy: `In Cursor: Settings, “MCP”; “${serverName}” must be switched on.`,
    },
  ];
}

/** VS Code asks once for each server, and keeps the answers among its own data. */
function vscodeApprovals({ server }: ApprovalPlace): Approval[] {
  if (server === undefined) return [];
  return [
    {
      level: "note",
      says: "asks once whether you trust the server; the answer cannot be read here",
      remedy: `In VS Code: “MCP: List Servers”, “${serverName}”, “Start Server”.`,
    },
  ];
}
