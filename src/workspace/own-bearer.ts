import { userInfo } from "node:os";
import type { Bearer } from "./session.ts";
import type { WorkspaceOptions } from "./workspace.ts";

/** Whoever opened a workspace: the agent that it was opened for, or the user. */
export function ownBearer({ author, run }: WorkspaceOptions, agentId: string | undefined): Bearer {
  return { author: author ?? (agentId === undefined ? `person:${userName()}` : `agent:${agentId}`), run, agentId };
}

/** The person at this machine, as history names them. */
export function ownPerson({ author }: WorkspaceOptions): string {
  return author?.startsWith("person:") ? author : `person:${userName()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in some containers.
    return String(process.getuid?.() ?? "unknown");
  }
}
