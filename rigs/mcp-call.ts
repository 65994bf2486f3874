/** What became of a call: nobody knows where no answer came. */
export type CallOutcome =
  | { readonly kind: "answered"; readonly text: string; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused" | "unknown"; readonly says: string };

export interface CallTarget {
  readonly origin: string;
  readonly token: string;
}

const patienceMs = 60_000;
const version = "2026-07-28";

/** Calls a tool over HTTP, once. */
export async function callTool(
  { origin, token }: CallTarget,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<CallOutcome> {
  try {
    const response = await fetch(`${origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": "tools/call",
        "mcp-name": tool,
        authorization: `Bearer ${token}`,
      },
      body: bodyOf(tool, args),
      signal: AbortSignal.timeout(patienceMs),
    });
    const body = await response.text();
    if (response.status !== 200) return { kind: "refused", says: `${response.status} ${body.slice(0, 200)}` };
    const { result, error } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as {
      readonly result?: ToolResult;
      readonly error?: { readonly message: string };
    };
    if (!result) return { kind: "refused", says: error?.message ?? body.slice(0, 200) };
    const text = result.content.map((part) => part.text ?? "").join("\n");
    if (result.isError) return { kind: "refused", says: text };
    return { kind: "answered", text, content: result._meta?.["recollect/details"] ?? {} };
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return { kind: "unknown", says: cause?.code ?? String(error) };
  }
}

interface ToolResult {
  readonly content: readonly { readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly isError?: boolean;
}

function bodyOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "rig", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } });
}
