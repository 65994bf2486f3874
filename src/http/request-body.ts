import { Readable } from "node:stream";
import type { HttpBindings } from "@hono/node-server";
import { failure, tryAgain } from "./failure.ts";

/** How much may be held at once: by all together, and by each credential. */
export interface Budget {
  /** False where there is no room. */
  take(key: string, amount: number): boolean;
  give(key: string, amount: number): void;
}

export function createBudget({ most, mostEach }: { readonly most: number; readonly mostEach: number }): Budget {
  const takenBy = new Map<string, number>();
  let taken = 0;
  return {
    take: (key, amount) => {
      const own = (takenBy.get(key) ?? 0) + amount;
      if (taken + amount > most || own > mostEach) return false;
      taken += amount;
      takenBy.set(key, own);
      return true;
    },
    give: (key, amount) => {
      const own = (takenBy.get(key) ?? 0) - amount;
      taken -= amount;
      if (own > 0) takenBy.set(key, own);
      else takenBy.delete(key);
    },
  };
}

export interface BodyLimits {
  readonly mostBytes: number;
  /** How long it may take to arrive. */
  readonly arriveMs: number;
  /** Bytes that have arrived and are held. */
  readonly bytes: Budget;
  /** Bodies that are on their way: each holds a connection, however little of it arrives. */
  readonly underWay: Budget;
}

/** A text may be long; a message that has more in it than this was not made by hand, nor by a model. */
const shapeLimits = { pieces: 20_000, depth: 100 };

/** What a request carries, and what to call once nobody needs it any more. */
export interface RequestBody {
  readonly text: string;
  readonly letGo: () => void;
}

const nothing: RequestBody = { text: "", letGo: () => {} };

/**
 * Reads the body before anything is worked on, so that a client that sends slowly keeps nobody else waiting. Room is
 * taken for what has arrived, never for what is announced. What is too large, too slow, or no UTF-8 text, is refused; of
 * the too large no more is read than the limit.
 */
export async function readBody(
  { request, incoming, outgoing }: { readonly request: Request } & Partial<HttpBindings>,
  key: string,
  { mostBytes, arriveMs, bytes, underWay }: BodyLimits,
): Promise<RequestBody | Response> {
  if (request.method === "GET" || request.method === "HEAD") return nothing;
  const declared = request.headers.get("content-length");
  if (declared === null && !request.headers.has("transfer-encoding")) return nothing;
  if (declared !== null && Number(declared) > mostBytes) return tooLarge(mostBytes);
  const source = arriving(request, incoming);
  if (!source) return nothing;
  if (!underWay.take(key, 1)) return noRoom();
  // Only now: who is refused sends nothing.
  if (request.headers.get("expect")?.toLowerCase() === "100-continue") outgoing?.writeContinue();
  const parts: Uint8Array[] = [];
  let held = 0;
  const refusal = await receive(source, arriveMs, (part) => {
    if (held + part.length > mostBytes) return tooLarge(mostBytes);
    if (!bytes.take(key, part.length)) return noRoom();
    held += part.length;
    parts.push(part);
    return undefined;
  });
  underWay.give(key, 1);
  const letGo = () => bytes.give(key, held);
  const read = refusal ?? textOf(Buffer.concat(parts));
  if (typeof read === "string") return { text: read, letGo };
  letGo();
  return read;
}

/** Gives on each part as it arrives, until there is no more, or a reason to read no more. */
async function receive(
  source: Readable,
  arriveMs: number,
  take: (part: Uint8Array) => Response | undefined,
): Promise<Response | undefined> {
  const { promise, resolve } = Promise.withResolvers<Response | undefined>();
  const timer = setTimeout(() => resolve(tooSlow(arriveMs)), arriveMs);
  const wentAway = () => resolve(failure(400, "INCOMPLETE", "The body did not arrive whole."));
  if (source.destroyed) wentAway();
  const onData = (part: Uint8Array) => {
    const refusal = take(part);
    if (!refusal) return;
    source.off("data", onData).pause();
    resolve(refusal);
  };
  source.on("data", onData);
  source.once("end", () => resolve(undefined));
  source.once("error", wentAway).once("close", wentAway);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    source.off("data", onData).pause();
  }
}

/** The socket's own stream, where there is one: a stream of the web around it costs more than a small request's work. */
function arriving(request: Request, incoming: Readable | undefined): Readable | undefined {
  return incoming ?? (request.body ? Readable.fromWeb(request.body) : undefined);
}

function textOf(bytes: Uint8Array): string | Response {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const { pieces, depth } = shapeOf(text);
    return pieces > shapeLimits.pieces || depth > shapeLimits.depth ? tooIntricate() : text;
  } catch {
    return failure(400, "NOT_UTF8", "The body is not UTF-8 text.");
  }
}

function tooIntricate(): Response {
  const says = `A request may have ${shapeLimits.pieces} values, ${shapeLimits.depth} deep. Send several.`;
  return failure(413, "TOO_LARGE", says);
}

function tooLarge(mostBytes: number): Response {
  return failure(413, "TOO_LARGE", `A request may have ${mostBytes} bytes.`, { connection: "close" });
}

function tooSlow(ms: number): Response {
  const says = `The body did not arrive within ${ms / 1000} s. Send it again, in smaller pieces where the way is slow.`;
  return failure(408, "BODY_TOO_SLOW", says, { connection: "close" });
}

function noRoom(): Response {
  const response = tryAgain("OVERLOADED", "Too much is being sent at once. Try again.");
  response.headers.set("connection", "close");
  return response;
}

/** How much there is in a JSON text beside the letters of its strings. */
interface JsonShape {
  /** At least as many as there are values. */
  readonly pieces: number;
  readonly depth: number;
}

const [quote, backslash, comma] = [...'"\\,'].map((character) => character.charCodeAt(0));
const opening = new Set([..."{["].map((character) => character.charCodeAt(0)));
const closing = new Set([..."}]"].map((character) => character.charCodeAt(0)));

/** Looks at a text before it is parsed: a million small values cost a hundred times what their letters do. */
export function shapeOf(text: string): JsonShape {
  let [pieces, depth, deepest] = [1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) pieces += 1;
    else if (opening.has(code)) {
      pieces += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (closing.has(code)) depth -= 1;
  }
  return { pieces, depth: deepest };
}

/** Where the string that begins here ends; the end of the text where it does not. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
