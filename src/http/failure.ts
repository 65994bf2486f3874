import type { ApiFailure } from "./api/contract/failure.ts";

/** An answer that says why there is none. */
export function failure(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: ApiFailure = { error: { code, message } };
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** For now: this credential has asked too often. */
export function tooOften(seconds: number): Response {
  const says = `Too many requests. Try again in ${seconds} s.`;
  return failure(429, "RATE_LIMITED", says, { "retry-after": String(seconds) });
}

/** For now: the same request may be answered in a moment. */
export function tryAgain(code: string, message: string): Response {
  return failure(503, code, message, { "retry-after": "1" });
}

/** An answer of the protocol that says why there is none. */
export function rpcFailure(status: number, code: number, message: string): Response {
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code, message } },
    { status, headers: { "cache-control": "no-store" } },
  );
}
