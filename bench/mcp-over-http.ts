import { Agent, request } from "node:http";

export interface HttpTarget {
  readonly origin: string;
  readonly token?: string | undefined;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How many calls of a tool are answered in a second, by so many clients that each wait for their answer. */
export async function callsPerSecond(target: HttpTarget, options: { clients: number; ms: number }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const body = bodyOf(target);
  const until = performance.now() + options.ms;
  const begun = performance.now();
  let answered = 0;
  const client = async () => {
    while (performance.now() < until) {
      await callOnce(target, agent, body);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return answered / seconds;
}

function bodyOf({ tool, args }: HttpTarget): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: args, _meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

function callOnce({ origin, token, tool }: HttpTarget, agent: Agent, body: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": tool,
    "content-length": Buffer.byteLength(body),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}/mcp`, { method: "POST", headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        if (response.statusCode === 200 && text.includes('"result"') && !text.includes('"isError":true')) resolve();
        else reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
