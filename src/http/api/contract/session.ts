export type ApiOperation = "list" | "read" | "write" | "append" | "delete" | "move";
type ApiRootKind = "memories" | "global" | "topics" | "bank" | "templates" | "agent";

export interface ApiRoot {
  readonly name: string;
  readonly kind: ApiRootKind;
  readonly operations: readonly ApiOperation[];
  readonly hasHistory: boolean;
}

/** GET /session */
export interface ApiSession {
  readonly version: string;
  readonly project: string | undefined;
  /** As history names who writes: `person:ada`, `agent:builder-7`. */
  readonly author: string;
  readonly credential: string;
  readonly agentId: string | undefined;
  /** May see doctor, guard and tokens, and change the allow-list and the tokens. */
  readonly isAdmin: boolean;
  readonly roots: readonly ApiRoot[];
  readonly warnings: readonly string[];
}
