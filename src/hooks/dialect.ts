import type { HookEvent } from "./event.ts";
import type { Fields } from "./fields.ts";

/** The clients whose hooks are answered. */
export const hookClients = ["claude-code", "codex", "gemini-cli", "cursor", "opencode"] as const;
export type HookClient = (typeof hookClients)[number];

export interface HookCall {
  readonly client: HookClient;
  /** As the client calls it, since it wants that name back. */
  readonly eventName: string;
  readonly event: HookEvent;
  /** Whether a person sits at the session: only then may Recollect ask or show anything. */
  isAttended(): boolean;
}

export interface HookAnswer {
  /** For the model. */
  readonly context?: string | undefined;
  /** One line for the person; it never reaches the model. */
  readonly notice?: string | undefined;
  /** Asked at the end of a turn: the model goes on once with it. */
  readonly question?: string | undefined;
}

/** How one client names its events and takes answers. */
export interface Dialect {
  /** Undefined for an event that is not answered. */
  read(input: Fields, env: NodeJS.ProcessEnv): Omit<HookCall, "client"> | undefined;
  /** What is printed; undefined for nothing at all. */
  write(eventName: string, answer: HookAnswer): Fields | undefined;
}
