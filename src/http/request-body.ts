import { Readable } from "node:stream";
import { failure, tryAgain } from "./failure.ts";

/** How much of what clients send may be held at once: by all of them together, and by each credential. */
export interface BodyBudget {
  /** False where there is no room. */
  take(key: string, bytes: number): boolean;
  give(key: string, bytes: number): void;
}

export function createBodyBudget({ most, mostEach }: { readonly most: number; readonly mostEach: number }): BodyBudget {
  const heldBy = new Map<string, number>();
  let held = 0;
  return {
    take: (key, bytes) => {
      const own = (heldBy.get(key) ?? 0) + bytes;
      if (held + bytes > most || own > mostEach) return false;
      held += bytes;
      heldBy.set(key, own);
      return true;
    },
    give: (key, bytes) => {
      const own = (heldBy.get(key) ?? 0) - bytes;
      held -= bytes;
      if (own > 0) heldBy.set(key, own);
      else heldBy.delete(key);
    },
  };
}

export interface BodyLimits {
  readonly mostBytes: number;
  /** How long it may take to arrive. */
  readonly arriveMs: number;
  readonly budget: BodyBudget;
}

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
  { request, incoming }: { readonly request: Request; readonly incoming?: Readable | undefined },
  key: string,
  { mostBytes, arriveMs, budget }: BodyLimits,
): Promise<RequestBody | Response> {
  if (request.method === "GET" || request.method === "HEAD") return nothing;
  const declared = request.headers.get("content-length");
  if (declared === null && !request.headers.has("transfer-encoding")) return nothing;
  if (declared !== null && Number(declared) > mostBytes) return tooLarge(mostBytes);
  const source = arriving(request, incoming);
  if (!source) return nothing;
  const parts: Uint8Array[] = [];
  let held = 0;
  const refusal = await receive(source, arriveMs, (part) => {
    if (held + part.length > mostBytes) return tooLarge(mostBytes);
    if (!budget.take(key, part.length)) return noRoom();
    held += part.length;
    parts.push(part);
    return undefined;
  });
  const text = refusal ? undefined : decode(Buffer.concat(parts));
  const letGo = () => budget.give(key, held);
  if (text !== undefined) return { text, letGo };
  letGo();
  return refusal ?? failure(400, "NOT_UTF8", "The body is not UTF-8 text.");
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

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
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
