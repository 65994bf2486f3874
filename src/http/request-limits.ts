import type { MiddlewareHandler } from "hono";
import { inTime } from "../kernel/in-time.ts";
import { type Admission, createTurn } from "./admission.ts";
import type { Arrivals } from "./arrivals.ts";
import { failure, tryAgain } from "./failure.ts";
import type { HttpEnv } from "./principal.ts";
import { type BodyLimits, readBody } from "./request-body.ts";
import { isEventStream, type Streams, withEnd } from "./streams.ts";

/** The second door: what is sent is read whole, and held no longer than until it is answered. */
export function takeBody(limits: BodyLimits): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const body = await readBody({ request: c.req.raw, ...c.env }, c.get("principal").key, limits);
    if (body instanceof Response) return body;
    c.set("body", body.text);
    Object.assign(c.req.bodyCache, { text: Promise.resolve(body.text) });
    try {
      await next();
    } finally {
      body.letGo();
    }
  };
}

/** The third door, for what is answered for as long as somebody listens: so many, and no longer than they may. */
export function keepStream(streams: Streams): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // It would be opened, and nobody would ever read it.
    if (c.req.raw.method === "HEAD") return failure(405, "METHOD_NOT_ALLOWED", "Use GET.", { allow: "GET" });
    const place = streams.reserve(c.get("principal").key);
    if (!place) return tryAgain("TOO_MANY_STREAMS", "Too many streams are open. Close one.");
    try {
      await next();
      const listener = { stillMay: c.get("stillMay"), socket: c.env.incoming?.socket };
      if (isEventStream(c.res)) c.res = place.keep(c.res, listener);
    } finally {
      place.giveBack();
    }
  };
}

/** The third door, for what is answered piece by piece and then over: it is over in time. */
export function endInTime(mostMs: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    if (!isEventStream(c.res)) return;
    const { response, end } = withEnd(c.res, () => clearTimeout(timer));
    const timer = setTimeout(end, mostMs);
    c.res = response;
  };
}

export interface TurnOptions {
  readonly admission: Admission;
  readonly arrivals: Arrivals;
  /** So much time until there is an answer. */
  readonly mostMs: number;
}

/** The last door before any work: its turn, for a credential that still holds then. */
export function takeTurn({ admission, arrivals, mostMs }: TurnOptions): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const leave = await admission.enter(c.get("principal").key, c.req.raw.signal);
    if (!leave) return tryAgain("OVERLOADED", "The server has too much to do. Try again.");
    const turn = createTurn(leave);
    c.set("turn", turn);
    await arrivals.settled();
    const refusal = await c.get("refusedSince")();
    if (refusal) {
      leave();
      return refusal;
    }
    // What is under way is not broken off: a write that was begun is ended, answered or not.
    const worked = next();
    turn.hold(worked);
    const slow = await inTime(worked, mostMs, () => tooSlow(mostMs));
    if (!slow) return;
    // Nobody will read what comes now.
    void worked.then(() => (isEventStream(c.res) ? c.res.body?.cancel() : undefined)).catch(() => {});
    return slow;
  };
}

function tooSlow(ms: number): Response {
  const says = `It took longer than ${ms / 1000} s. A change may still be made: look before you try again.`;
  return failure(503, "TOO_SLOW", says, { "retry-after": "5" });
}
