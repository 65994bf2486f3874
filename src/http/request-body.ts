import { failure, tryAgain } from "./failure.ts";

/** How much of what clients send may be held at once, by all of them together. */
export interface BodyBudget {
  /** False where there is no room. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBodyBudget(mostBytes: number): BodyBudget {
  let held = 0;
  return {
    take: (bytes) => {
      if (held + bytes > mostBytes) return false;
      held += bytes;
      return true;
    },
    give: (bytes) => {
      held -= bytes;
    },
  };
}

/** What a request carries, and what to call once nobody needs it any more. */
export interface RequestBody {
  readonly text: string;
  readonly letGo: () => void;
}

const nothing: RequestBody = { text: "", letGo: () => {} };

/**
 * Reads the body before anything is worked on, so that a client that sends slowly keeps nobody else waiting. What is
 * too large, or no UTF-8 text, is refused; of the too large no more is read than the limit.
 */
export async function readBody(
  request: Request,
  { mostBytes, budget }: { readonly mostBytes: number; readonly budget: BodyBudget },
): Promise<RequestBody | Response> {
  if (request.method === "GET" || request.method === "HEAD") return nothing;
  const declared = request.headers.get("content-length");
  if (declared === null && !request.headers.has("transfer-encoding")) return nothing;
  if (declared !== null && Number(declared) > mostBytes) return tooLarge(mostBytes);
  // How much a client without a length will send is known at the end alone.
  const reserved = declared === null ? mostBytes : Number(declared);
  if (!budget.take(reserved)) return tryAgain("OVERLOADED", "Too much is being sent at once. Try again.");
  try {
    const bytes =
      declared === null ? await readAtMost(request, mostBytes) : new Uint8Array(await request.arrayBuffer());
    if (!bytes) return finish(tooLarge(mostBytes));
    const text = decode(bytes);
    if (text === undefined) return finish(failure(400, "NOT_UTF8", "The body is not UTF-8 text."));
    return { text, letGo: () => budget.give(reserved) };
  } catch {
    // It went away while it sent.
    return finish(failure(400, "INCOMPLETE", "The body did not arrive whole."));
  }

  function finish(response: Response): Response {
    budget.give(reserved);
    return response;
  }
}

async function readAtMost(request: Request, mostBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
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
