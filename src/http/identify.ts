import type { MiddlewareHandler } from "hono";
import type { Authenticated } from "./authenticate.ts";
import { failure, tooOften, tryAgain } from "./failure.ts";
import { isFromElsewhere } from "./origin-guard.ts";
import type { HttpEnv } from "./principal.ts";
import type { RateLimit } from "./rate-limit.ts";
import { challenge } from "./resource-metadata.ts";
import type { Seats } from "./seats.ts";
import type { SignIns } from "./sign-ins.ts";

export interface IdentifyOptions {
  readonly authenticate: (authorization: string | undefined | null) => Promise<Authenticated>;
  readonly rate: RateLimit;
  readonly signIns: SignIns;
  readonly seats: Seats;
  /** Where clients learn who gives out tokens; undefined without an authorization server. */
  readonly metadataUrl: string | undefined;
}

/** Who needs longer than this until its turn is asked for its credential again: it may have been revoked. */
const goodForMs = 1000;

/** The first door: nobody passes without a credential, nor more often than one may. */
export function identify(options: IdentifyOptions): MiddlewareHandler<HttpEnv> {
  const { authenticate, rate, signIns, seats, metadataUrl } = options;
  return async (c, next) => {
    if (isFromElsewhere(c.req.raw)) return failure(403, "WRONG_ORIGIN", "Pages of that origin may not ask.");
    const authorization = c.req.raw.headers.get("authorization") ?? "";
    const address = c.env.incoming?.socket.remoteAddress ?? "";
    const begun = performance.now();
    if (authorization === "") return unauthorized(metadataUrl, false);
    const look = signIns.look(address, authorization);
    if (look.wait > 0) return tooOften(look.wait);
    const who = await authenticate(authorization);
    if (who.kind === "unavailable") {
      look.unseen();
      return tryAgain("UNAVAILABLE", "The token cannot be checked now. Try again.");
    }
    if (who.kind === "unknown") return unauthorized(metadataUrl, who.wasGiven);
    look.good();
    const wait = rate.take(who.principal.key);
    if (wait > 0) return tooOften(wait);
    const seat = seats.of(who.principal);
    c.set("principal", who.principal);
    c.set("seat", seat);
    c.set("session", seat.session);
    const stillMay = async () => (await authenticate(authorization)).kind !== "unknown";
    c.set("stillMay", stillMay);
    c.set("refusedSince", async () => {
      if (performance.now() - begun < goodForMs || (await stillMay())) return undefined;
      return unauthorized(metadataUrl, true);
    });
    await next();
  };
}

function unauthorized(metadataUrl: string | undefined, wasGiven: boolean): Response {
  const says = wasGiven
    ? "This token is not valid: it is unknown, was revoked, or has expired."
    : "This needs a token: Authorization: Bearer TOKEN. “recollect token create” makes one.";
  return failure(401, "UNAUTHORIZED", says, { "www-authenticate": challenge(metadataUrl, wasGiven) });
}
