import { serverName } from "../server-entry.ts";
import type { Approval, ApprovalPlace } from "./approval.ts";

/** VS Code asks once for each server, and keeps the answers among its own data. */
export function vscodeApprovals({ server }: ApprovalPlace): Approval[] {
  if (server === undefined) return [];
  return [
    {
      level: "note",
      says: "asks once whether you trust the server; the answer cannot be read here",
      remedy: `In VS Code: “MCP: List Servers”, “${serverName}”, “Start Server”.`,
    },
  ];
}
