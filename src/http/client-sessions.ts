import { randomBytes } from "node:crypto";
import { clientAuthor } from "../mcp/client-author.ts";
import type { McpServerOptions } from "../mcp/server.ts";
import type { Seat } from "./seats.ts";

type Tools = Omit<McpServerOptions, "version">;

export interface ClientSessions {
  /** What is served to the client of this name, in the session that it is in. */
  toolsOf(seat: Seat, clientName: string | undefined): Tools;
}

export interface ClientSessionsOptions {
  readonly idleMs: number;
  /** Of one credential: names are what clients say of themselves. */
  readonly mostEach: number;
  readonly now: () => number;
}

/**
 * Sessions of the era that has none: each request names its client and nothing more. So all that one name asks with one
 * credential is a session, until it pauses for long.
 */
export function createClientSessions({ idleMs, mostEach, now }: ClientSessionsOptions): ClientSessions {
  /** The least lately used first. */
  const bySeat = new WeakMap<Seat, Map<string, { readonly tools: Tools; readonly lastUsed: number }>>();
  return {
    toolsOf: (seat, clientName) => {
      const sessions = bySeat.get(seat) ?? new Map();
      bySeat.set(seat, sessions);
      const author = clientAuthor(clientName);
      const found = sessions.get(author);
      const isSame = found !== undefined && now() - found.lastUsed <= idleMs;
      const tools: Tools = isSame ? found.tools : seat.toolsFor({ name: clientName, run: newRun() });
      sessions.delete(author);
      sessions.set(author, { tools, lastUsed: now() });
      const [oldest] = sessions.keys();
      if (sessions.size > mostEach && oldest !== undefined) sessions.delete(oldest);
      return tools;
    },
  };
}

/** What history calls a session. */
export function newRun(): string {
  return randomBytes(4).toString("hex");
}
