import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { isUnavailable } from "../../../src/search/meaning/embedder.ts";
import { type EndpointModelOptions, openEndpointModel } from "../../../src/search/meaning/endpoint-model.ts";
import { errorOf } from "../../helpers/error-of.ts";

interface Received {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

type Reply = (received: Received, response: ServerResponse) => void;

/** An endpoint on this machine that answers as told. */
async function startEndpoint(reply: Reply): Promise<{ base: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { url, headers } = request;
    const one = { url, authorization: headers.authorization, body: JSON.parse(await readText(request)) };
    received.push(one);
    reply(one, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received };
}

/** Vectors that tell texts apart by their length. */
const vectorOf = (text: string) => [3, 4, text.length];

const answer: Reply = ({ body }, response) => {
  const data = body.input.map((text, index) => ({ index, embedding: vectorOf(text) }));
  // Endpoints owe no order: the index says it.
  response.end(JSON.stringify({ data: data.reverse() }));
};

function open(base: string, options: Partial<EndpointModelOptions> = {}) {
  const model = openEndpointModel({ base, model: "some-model", env: {}, now: Date.now, ...options });
  onTestFinished(() => model.close());
  return model;
}

function expectUnit(vector: Float32Array | undefined, text: string): void {
  const values = vectorOf(text);
  const length = Math.hypot(...values);
  for (const [at, value] of values.entries()) expect(vector?.[at]).toBeCloseTo(value / length, 6);
}

describe("a model at an endpoint", () => {
  it("SRCH-2 asks nothing before it is needed, and then sends model, texts and key", async () => {
    const { base, received } = await startEndpoint(answer);
    const model = open(`${base}/`, { apiKeyVariable: "SOME_KEY", env: { SOME_KEY: "k-1" } });
    expect(received).toEqual([]);
    expect(model.dims).toBeUndefined();
    expectUnit((await model.embedQuery("hello")) as Float32Array, "hello");
    expect(received).toEqual([
      {
        url: "/v1/embeddings",
        authorization: "Bearer k-1",
        body: { model: "some-model", input: ["hello"], encoding_format: "float" },
      },
    ]);
    expect(model.dims).toBe(3);
  });

  it("SRCH-2 sends texts in batches and keeps their order", async () => {
    const { base, received } = await startEndpoint(answer);
    const texts = Array.from({ length: 10 }, (_, at) => "x".repeat(at + 1));
    const vectors = (await open(base, { batchSize: 4 }).embedTexts(texts)) as Float32Array[];
    expect(received.map(({ body }) => body.input.length)).toEqual([4, 4, 2]);
    expect(vectors).toHaveLength(10);
    for (const [at, text] of texts.entries()) expectUnit(vectors[at], text);
  });

  it("SRCH-2 shortens texts that no model would read", async () => {
    const { base, received } = await startEndpoint(answer);
    await open(base, { mostCharacters: 100 }).embedTexts(["y".repeat(5000)]);
    expect(received[0]?.body.input[0]).toHaveLength(100);
  });

  const wrong: readonly (readonly [string, Reply, RegExp])[] = [
    ["500", (_, response) => response.writeHead(500).end("secret text of the server"), /answered 500\.$/],
    ["401", (_, response) => response.writeHead(401).end(), /answered 401\.$/],
    ["no JSON", (_, response) => response.end("<html>"), /something else than JSON/],
    ["other JSON", (_, response) => response.end('{"error":"no such model"}'), /no vectors/],
    ["NaN", (_, response) => response.end('{"data":[{"index":0,"embedding":[1,NaN]}]}'), /something else than JSON/],
    ["null in a vector", (_, response) => response.end('{"data":[{"embedding":[1,null]}]}'), /no vectors/],
    ["infinity", (_, response) => response.end('{"data":[{"embedding":[1,1e999]}]}'), /no vectors|without direction/],
    ["zeros", (_, response) => response.end('{"data":[{"embedding":[0,0,0]}]}'), /without direction/],
    ["too few", (_, response) => response.end('{"data":[]}'), /0 vectors for 1 texts/],
    ["a wrong index", (_, response) => response.end('{"data":[{"index":7,"embedding":[1,2]}]}'), /in no order/],
    [
      "a cut answer",
      (_, response) => response.writeHead(200, { "content-length": "500" }).write("{"),
      /did not answer/,
    ],
    ["a broken line", (_, response) => response.destroy(), /cannot be reached/],
    ["another host", (_, response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(), /reached/],
  ];

  it.each(wrong)("SRCH-2 does without an endpoint that answers %s", async (_, reply, reason) => {
    const { base } = await startEndpoint(reply);
    const answered = await open(base, { queryLimitMs: 400 }).embedQuery("hello");
    expect(answered).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(reason) });
    expect(JSON.stringify(answered)).not.toMatch(/secret text|127\.0\.0\.1/);
  });

  it("SRCH-2 does without an endpoint that is not there, or that hangs", async () => {
    const { base } = await startEndpoint(() => {});
    const hanging = await open(base, { queryLimitMs: 100 }).embedQuery("hello");
    expect(hanging).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(/within 100 ms/) });
    const gone = await open("http://127.0.0.1:1/v1").embedQuery("hello");
    expect(gone).toMatchObject({ kind: "unavailable", reason: expect.stringMatching(/cannot be reached/) });
    const nonsense = await open("no address").embedQuery("hello");
    expect(nonsense).toMatchObject({ kind: "unavailable" });
  });

  it("SRCH-2 refuses vectors of other dimensions than before", async () => {
    let dims = 3;
    const { base } = await startEndpoint((_, response) => {
      response.end(JSON.stringify({ data: [{ index: 0, embedding: new Array(dims).fill(1) }] }));
    });
    const model = open(base);
    expect(await model.embedQuery("one")).toHaveLength(3);
    dims = 4;
    expect(await model.embedQuery("two")).toMatchObject({ reason: expect.stringMatching(/4 dimensions instead of 3/) });
  });

  it("SRCH-2 asks a failing endpoint again only after a pause that grows, and after a success at once", async () => {
    let [time, isDown] = [1000, true];
    const { base, received } = await startEndpoint((request, response) => {
      if (isDown) response.writeHead(503).end();
      else answer(request, response);
    });
    const model = open(base, { now: () => time, firstPauseMs: 100 });
    expect(await model.embedQuery("a")).toMatchObject({ kind: "unavailable", retryAfterMs: 100 });
    time += 99;
    expect(await model.embedQuery("a")).toMatchObject({ kind: "unavailable", retryAfterMs: 1 });
    expect(received).toHaveLength(1);
    time += 1;
    expect(await model.embedQuery("a")).toMatchObject({ kind: "unavailable", retryAfterMs: 200 });
    expect(received).toHaveLength(2);
    isDown = false;
    time += 200;
    expect(isUnavailable((await model.embedQuery("a")) as object)).toBe(false);
    expect(isUnavailable((await model.embedQuery("b")) as object)).toBe(false);
    expect(received).toHaveLength(4);
  });

  it("SRCH-2 waits as long as the endpoint asks for", async () => {
    const { base } = await startEndpoint((_, response) => response.writeHead(429, { "retry-after": "7" }).end());
    expect(await open(base, { firstPauseMs: 100 }).embedQuery("a")).toMatchObject({ retryAfterMs: 7000 });
  });

  it("SRCH-2 says which variable the key is missing from, and asks nothing without it", async () => {
    const { base, received } = await startEndpoint(answer);
    const answered = await open(base, { apiKeyVariable: "SOME_KEY" }).embedQuery("a");
    expect(answered).toMatchObject({ kind: "unavailable", reason: expect.stringContaining("SOME_KEY") });
    expect(received).toEqual([]);
  });

  it("SRCH-2 stops when told to, and is not blamed for it", async () => {
    const { base, received } = await startEndpoint((request, response) => {
      if (request.body.input[0] === "fine") answer(request, response);
    });
    const model = open(base);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await errorOf(() => model.embedTexts(["hang"], stop.signal))).toMatchObject({ name: "AbortError" });
    expectUnit((await model.embedQuery("fine")) as Float32Array, "fine");
    expect(received).toHaveLength(2);
    const pending = model.embedQuery("hang");
    await model.close();
    expect(await pending).toMatchObject({ kind: "unavailable" });
  });
});
