import * as z from "zod";
import { type Embedder, type Unavailable, unavailable } from "./embedder.ts";
import { createRetryGate } from "./retry-gate.ts";
import { toUnitLength } from "./unit-length.ts";

export interface EndpointModelOptions {
  /** Such as `http://localhost:11434/v1`; `/embeddings` is added. */
  readonly base: string;
  readonly model: string;
  /** The name of the variable that holds the key; the key itself is in no file of settings. */
  readonly apiKeyVariable?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** For texts in the background; each batch has as long. */
  readonly limitMs?: number;
  /** For a query, for which somebody waits. */
  readonly queryLimitMs?: number;
  readonly batchSize?: number;
  /** Of each text, from its beginning; models refuse what is longer than they can read. */
  readonly mostCharacters?: number;
  /** The first pause after a failure. */
  readonly firstPauseMs?: number;
}

const mostAnswerBytes = 64 * 1024 * 1024;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative().optional(), embedding: z.array(z.number()) })),
});

/** An endpoint that speaks as OpenAI's does: Ollama, LM Studio, vLLM, OpenAI. It is not asked before it is needed. */
export function openEndpointModel(options: EndpointModelOptions): Embedder {
  const { base, model, limitMs = 60_000, queryLimitMs = 2000, batchSize = 32, mostCharacters = 8000 } = options;
  const gate = createRetryGate({
    now: options.now,
    ...(options.firstPauseMs === undefined ? {} : { firstMs: options.firstPauseMs }),
  });
  const closing = new AbortController();
  let dims: number | undefined;

  async function embedBatch(texts: readonly string[], ms: number, signal?: AbortSignal): Promise<Answer> {
    const closed = gate.closed();
    if (closed !== undefined) return closed;
    const limit = AbortSignal.timeout(ms);
    const stop = AbortSignal.any([limit, closing.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      return await ask(texts, stop);
    } catch (error) {
      signal?.throwIfAborted();
      if (closing.signal.aborted) return unavailable("The endpoint for meanings was closed.");
      if (limit.aborted) return gate.failed(`The endpoint for meanings did not answer within ${ms} ms.`);
      return gate.failed(`The endpoint for meanings cannot be reached (${codeOf(error)}).`);
    }
  }

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<Answer> {
    const headers = headersOf(options);
    if ("kind" in headers) return headers;
    const response = await fetch(`${base.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      // Another host would get the texts and the key.
      redirect: "error",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return gate.failed(`The endpoint for meanings answered ${response.status}.`, retryAfterOf(response));
    }
    const body = await readLimited(response, mostAnswerBytes);
    const vectors = body === undefined ? "too many bytes" : parseAnswer(body, texts.length, dims);
    if (typeof vectors === "string") return gate.failed(`The endpoint for meanings answered with ${vectors}.`);
    dims = vectors[0]?.length ?? dims;
    gate.succeeded();
    return vectors;
  }

  const shortened = (text: string) => text.slice(0, mostCharacters);
  return {
    // Of the address only the host: it may hold a password.
    name: `endpoint:${URL.canParse(base) ? new URL(base).host : "unknown"}/${model}`,
    get dims() {
      return dims;
    },
    embedQuery: async (text) => {
      const answer = await embedBatch([shortened(text)], queryLimitMs);
      return "kind" in answer ? answer : (answer[0] as Float32Array);
    },
    embedTexts: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        signal?.throwIfAborted();
        const answer = await embedBatch(texts.slice(from, from + batchSize).map(shortened), limitMs, signal);
        if ("kind" in answer) return answer;
        vectors.push(...answer);
      }
      return vectors;
    },
    close: async () => closing.abort(),
  };
}

type Answer = readonly Float32Array[] | Unavailable;

function headersOf({ apiKeyVariable, env }: EndpointModelOptions): { authorization?: string } | Unavailable {
  if (apiKeyVariable === undefined) return {};
  const key = env[apiKeyVariable];
  if (key !== undefined && key !== "") return { authorization: `Bearer ${key}` };
  return unavailable(`The environment variable ${apiKeyVariable}, for the endpoint's key, is not set.`);
}

/** The vectors in the order of the texts, or what was answered instead. */
function parseAnswer(body: string, count: number, dims: number | undefined): Float32Array[] | string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return "something else than JSON";
  }
  const { success, data } = answerSchema.safeParse(json);
  if (!success) return "no vectors of numbers";
  if (data.data.length !== count) return `${data.data.length} vectors for ${count} texts`;
  const vectors: Float32Array[] = [];
  for (const [place, { index = place, embedding }] of data.data.entries()) {
    const vector = toUnitLength(embedding);
    if (vector === undefined) return "a vector without direction";
    const expected = dims ?? data.data[0]?.embedding.length;
    if (vector.length !== expected) return `${vector.length} dimensions instead of ${expected}`;
    if (index >= count || vectors[index] !== undefined) return "vectors in no order";
    vectors[index] = vector;
  }
  return vectors;
}

function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

/** `fetch` wraps what went wrong; its own message may hold the address, its code does not. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
}

/** A response's text, or undefined where it is longer than it may be: an endpoint must not fill the memory. */
async function readLimited(response: Response, mostBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
