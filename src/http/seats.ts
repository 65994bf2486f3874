import type { Session, ToolSet, Workspace } from "../app.ts";
import { createMemoryWatch, type MemoryWatch } from "../mcp/memory-watch.ts";
import { servedTools } from "../mcp/served-tools.ts";
import type { McpServerOptions } from "../mcp/server.ts";
import type { Principal } from "./principal.ts";

/** What is kept for a credential between its requests. Nothing of it is shared with another one. */
export interface Seat {
  readonly principal: Principal;
  readonly session: Session;
  readonly watch: MemoryWatch;
  /** For a client of MCP: what it writes carries its name, where the credential says so, and its session. */
  toolsFor(client: ConnectedClient): Omit<McpServerOptions, "version">;
}

interface ConnectedClient {
  /** What it calls itself. */
  readonly name: string | undefined;
  /** Its session, as history names it. */
  readonly run: string;
}

export interface Seats {
  of(principal: Principal): Seat;
  /** Something was changed: those who listen look whether it is anything that they see. */
  changed(): void;
}

/** A session is small, and made again where it was let go. */
const mostKept = 500;

export function createSeats(workspace: Workspace): Seats {
  /** The least lately used first. */
  const seats = new Map<string, Seat>();

  function make(principal: Principal): Seat {
    const session = workspace.session(principal.bearer);
    const { bearer, authorOfClient, isAdmin } = principal;
    const options = {
      tools: toolSetsOf(session, workspace.settings.values.tools),
      historyRoots: session.roots.filter(({ hasHistory }) => hasHistory).map(({ name }) => name),
      topicsWarning: () => session.topicsWarning,
    };
    return {
      principal,
      session,
      watch: createMemoryWatch(session.memories),
      toolsFor: ({ name, run }) => {
        const author = authorOfClient?.(name) ?? bearer.author;
        const tools = servedTools(workspace.session({ ...bearer, author, run }), options);
        // They are about folders and settings of whoever runs the server.
        return { ...tools, warnings: isAdmin ? workspace.warnings : [] };
      },
    };
  }

  return {
    of: (principal) => {
      const { key } = principal;
      const seat = seats.get(key) ?? make(principal);
      seats.delete(key);
      seats.set(key, seat);
      const [oldest] = seats.keys();
      if (seats.size > mostKept && oldest !== undefined) seats.delete(oldest);
      return seat;
    },
    changed: () => {
      for (const { watch } of seats.values()) watch.changed();
    },
  };
}

/** Tools for what somebody cannot see would only mislead; whose own files there are, the credential says (AGT-4). */
function toolSetsOf(session: Session, configured: readonly ToolSet[]): ToolSet[] {
  const isUseful: Partial<Record<ToolSet, boolean>> = {
    memories: session.memoryFolders.length > 0,
    topics: session.topicsRoot !== undefined,
    agent: false,
  };
  return [
    ...configured.filter((set) => isUseful[set] ?? true),
    ...(session.agent === undefined ? [] : (["agent"] as const)),
  ];
}
