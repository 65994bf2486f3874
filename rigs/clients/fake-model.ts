import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicProtocol } from "./anthropic-protocol.ts";
import { geminiProtocol } from "./gemini-protocol.ts";
import type { ModelRequest, ModelScript, ModelTurn } from "./model-script.ts";
import { openaiProtocol } from "./openai-protocol.ts";

const protocols = [anthropicProtocol, openaiProtocol, geminiProtocol];

export interface FakeModel {
  readonly origin: string;
  /** What the conversation asked so far. */
  readonly requests: readonly ModelRequest[];
  /** Requests beside the conversation: titles, summaries of a compaction, classifiers, telemetry. */
  readonly asides: readonly { readonly url: string; readonly body: unknown }[];
  play(script: ModelScript): void;
  close(): Promise<void>;
}

/** A model on loopback that plays a script and records every request. */
export async function openFakeModel(): Promise<FakeModel> {
  let script: ModelScript = () => ({ text: "Done." });
  const requests: ModelRequest[] = [];
  const asides: { url: string; body: unknown }[] = [];
  let begun = 0;
  const server = createServer(async (request, response) => {
    const url = request.url ?? "/";
    const body = await bodyOf(request);
    const protocol = protocols.find(({ accepts }) => accepts(url));
    const parsed = protocol && body !== undefined ? protocol.parse(body) : undefined;
    if (!protocol || !parsed) {
      asides.push({ url, body });
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const isAside = parsed.tools.length === 0;
    if (isAside) asides.push({ url, body });
    else requests.push(parsed);
    const turn: ModelTurn = isAside ? { text: "Summary of the session." } : script(parsed, requests.length - 1 - begun);
    const answer = protocol.answer(turn, body, url);
    response.writeHead(200, { "content-type": answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    asides,
    play: (next) => {
      script = next;
      begun = requests.length;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}
