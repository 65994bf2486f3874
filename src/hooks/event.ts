/** What all events of a client's session have in common. */
export interface EventBase {
  /** The client's own id of the session. */
  readonly session: string;
  /** An absolute folder: where the client works. */
  readonly cwd: string;
  /** Set only inside a subagent. */
  readonly subagent?: string | undefined;
}

export interface SessionStartEvent extends EventBase {
  readonly kind: "session-start";
  /** `compact`: the conversation was shortened, and what the session had been given is gone. */
  readonly source: "startup" | "resume" | "clear" | "compact";
}

export interface PromptEvent extends EventBase {
  readonly kind: "prompt";
  readonly prompt: string;
}

export interface ToolEvent extends EventBase {
  readonly kind: "tool";
  /** Reduced to what capture and recall tell apart. */
  readonly tool: "shell" | "edit" | "memory" | "other";
  /** The shell command; empty for other tools. */
  readonly command: string;
  /** Files that the tool changed, as the client names them. */
  readonly files: readonly string[];
  /** The tool of ours that was called, such as `store_in_memory`; undefined for tools of others. */
  readonly memoryTool?: string | undefined;
  /** The query of `search_memory` or `recall_context`. */
  readonly query?: string | undefined;
  /** Undefined where the client does not tell failure from success. */
  readonly hasFailed: boolean | undefined;
  /** What the tool printed, or its error. */
  readonly output: string;
}

export interface StopEvent extends EventBase {
  readonly kind: "stop";
  /** The turn goes on already because a hook asked for it. */
  readonly isContinued: boolean;
  readonly lastMessage: string;
}

interface SubagentStartEvent extends EventBase {
  readonly kind: "subagent-start";
}

/** The conversation is about to be shortened, in a client that does not tell when that is done. */
interface CompactingEvent extends EventBase {
  readonly kind: "compacting";
}

interface SessionEndEvent extends EventBase {
  readonly kind: "session-end";
}

/** A lifecycle event of any client, in one form. The table of each client translates its own events into this. */
export type HookEvent =
  | SessionStartEvent
  | PromptEvent
  | ToolEvent
  | StopEvent
  | SubagentStartEvent
  | CompactingEvent
  | SessionEndEvent;
