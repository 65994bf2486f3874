/** An answer of the protocol that says why there is none. */
export function rpcFailure(status: number, code: number, message: string): Response {
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code, message } },
    { status, headers: { "cache-control": "no-store" } },
  );
}
