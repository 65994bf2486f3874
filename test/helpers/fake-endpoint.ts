import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { meaningOf } from "./fake-model.ts";

export interface FakeEndpoint {
  readonly base: string;
  /** Every text that was sent. */
  readonly received: string[];
  /** The keys that came with them. */
  readonly keys: Set<string | undefined>;
  /** How it answers from now on; by default with what the fake model means. */
  behave(reply: "well" | "hang" | number): void;
}

/** An OpenAI-compatible service of embeddings on this machine. */
export async function fakeEndpoint(): Promise<FakeEndpoint> {
  const received: string[] = [];
  const keys = new Set<string | undefined>();
  let reply: "well" | "hang" | number = "well";
  const server = createServer(async (request, response: ServerResponse) => {
    const { input } = JSON.parse(await readText(request)) as { input: string[] };
    received.push(...input);
    keys.add(request.headers.authorization);
    if (reply === "hang") return;
    if (reply !== "well") return void response.writeHead(reply).end();
    response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: meaningOf(text) })) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    keys,
    behave: (given) => {
      reply = given;
      // As one that is started anew.
      server.closeAllConnections();
    },
  };
}
