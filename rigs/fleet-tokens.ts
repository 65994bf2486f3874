import { callTool } from "./mcp-call.ts";
import type { ServeProcess } from "./serve-process.ts";

/** A token for each agent, by the API of one server: the database keeps them, and every server takes them. */
export async function makeAgentTokens(
  server: ServeProcess | undefined,
  agents: number,
): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  if (!server) return tokens;
  for (let number = 1; number <= agents; number += 1) {
    const name = `agent-${number}`;
    const response = await fetch(`${server.origin}/api/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token()}`, "content-type": "application/json" },
      body: JSON.stringify({ name, agentId: name, scopes: ["*:all"] }),
    });
    const { secret } = (await response.json()) as { secret: string };
    tokens.set(name, secret);
    // What each of them edits later.
    const memory = { memory_name: `edited/${name}`, content: "# Edited\n\nnow: nothing\n" };
    const outcome = await callTool({ origin: server.origin, token: secret }, "write_memory", memory);
    if (outcome.kind !== "answered") throw new Error(`The first memory could not be written: ${outcome.says}`);
  }
  return tokens;
}
