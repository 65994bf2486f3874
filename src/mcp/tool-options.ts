import type { AgentMemoryService, Bank, Memories, MemoryHistory, NameOf, Records, Search, Topics } from "../app.ts";
import type { LastSessions } from "./last-sessions.ts";

/** What a tool works on. */
export interface MemoriesSession {
  readonly memories: Memories;
  /** Told when a tool changed memories, so that the client's resources follow at once. */
  readonly changed: () => void;
  /** The same notes with the lessons beside them, by any name that a tool printed. */
  readonly records: Records;
}

export interface FilesSession {
  readonly bank: Bank;
}

export interface SearchSession {
  readonly search: Search;
  /** What was done last; undefined for who may not know of it. */
  readonly sessions?: LastSessions | undefined;
}

export interface TopicsSession {
  readonly topics: Topics;
  /** What every answer says until the external memory works again (TOP-7). */
  readonly warning: () => string | undefined;
}

export interface HistorySession {
  readonly history: MemoryHistory;
  readonly nameOf: NameOf;
  /** What can be seen of it: the folders that are served. */
  readonly roots: readonly string[];
}

/** The agent that a server was started for. It comes from the command line, never from a tool argument (AGT-4). */
export interface AgentSession {
  readonly agentId: string;
  readonly memory: AgentMemoryService;
}
