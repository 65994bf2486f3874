import { serverName } from "../server-entry.ts";
import type { Approval, ApprovalPlace } from "./approval.ts";

/** Cursor keeps approvals in a database of the application. */
export function cursorApprovals({ server }: ApprovalPlace): Approval[] {
  if (server === undefined) return [];
  return [
    {
      level: "note",
      says: "keeps in its own database whether you approved the server, so that cannot be read here",
      remedy: `In Cursor: Settings, “MCP”; “${serverName}” must be switched on.`,
    },
  ];
}
