import type { HttpBindings } from "@hono/node-server";
import type { Bearer, Session } from "../app.ts";
import type { Turn } from "./admission.ts";
import type { Seat } from "./seats.ts";

/** Who sent a request, by the credential that it carried. */
export interface Principal {
  /** One for each credential and what it may do: what is kept for a principal is kept under it. */
  readonly key: string;
  /** The credential as it is shown to people. */
  readonly credential: string;
  readonly bearer: Bearer;
  /** The author of what an MCP client writes with it; without this the bearer is the author, whatever the client is. */
  readonly authorOfClient?: (clientName: string | undefined) => string;
  /** May see doctor, guard and tokens, and change the allow-list and the tokens. */
  readonly isAdmin: boolean;
}

/** What every handler behind the doors finds in its context: `c.get("principal")`, `c.get("session")`. */
export interface HttpEnv {
  /** What a request came in by; without a socket there is none. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    principal: Principal;
    session: Session;
    seat: Seat;
    /** The body, which was read already; `c.req.json()` and `c.req.text()` give it too. */
    body: string;
    /** Whether the credential still holds; for answers that have no end. */
    stillMay: () => Promise<boolean>;
    /** For who waited for long: an answer where the credential does not hold any more. */
    refusedSince: () => Promise<Response | undefined>;
    /** Held by whatever goes on after the answer; there where turns are taken. */
    turn: Turn;
  };
}
