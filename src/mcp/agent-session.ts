import type { AgentMemoryService } from "../app.ts";

/** The agent that a server was started for. It comes from the command line, never from a tool argument (AGT-4). */
export interface AgentSession {
  readonly agentId: string;
  readonly memory: AgentMemoryService;
}
