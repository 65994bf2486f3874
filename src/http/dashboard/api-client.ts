import type { ApiFailure } from "../api/contract/failure.ts";
import { ApiError, isAborted } from "./api-error.ts";

type Query = Readonly<Record<string, string | number | undefined>>;

interface Ask {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The JSON API with this tab's token. Failures are thrown as `ApiError`. */
export interface ApiClient {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  send<T>(method: "PUT" | "POST" | "DELETE", path: string, ask: Ask): Promise<T>;
  /** The body is not read: it never ends. */
  open(path: string, signal: AbortSignal): Promise<Response>;
}

const attempts = 4;
const longestWait = 5;

export function createApiClient(token: string, onUnauthorized: () => void): ApiClient {
  async function request(method: string, path: string, ask: Ask): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (ask.body !== undefined) headers["content-type"] = "application/json";
    try {
      const response = await fetch(`./api${path}${searchOf(ask.query)}`, {
        method,
        headers,
        body: ask.body === undefined ? null : JSON.stringify(ask.body),
        signal: ask.signal ?? null,
        cache: "no-store",
        credentials: "omit",
      });
      if (response.status === 401) onUnauthorized();
      return response;
    } catch (error) {
      if (isAborted(error)) throw error;
      throw new ApiError("OFFLINE", "The server cannot be reached.", 0);
    }
  }

  /** Reading is harmless: a server that is busy is asked again when it says so. */
  async function read(path: string, ask: Ask): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await request("GET", path, ask);
      if ((response.status !== 503 && response.status !== 429) || attempt === attempts) return response;
      await wait(Math.min(Number(response.headers.get("retry-after") ?? 1) || 1, longestWait), ask.signal);
    }
  }

  return {
    get: async (path, query, signal) => answerOf(await read(path, { query: query ?? {}, signal })),
    send: async (method, path, ask) => answerOf(await request(method, path, ask)),
    async open(path, signal) {
      const response = await request("GET", path, { signal });
      if (!response.ok) throw await failureOf(response);
      return response;
    },
  };
}

async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw await failureOf(response);
  return response.json();
}

async function failureOf(response: Response): Promise<ApiError> {
  const body: Partial<ApiFailure> | undefined = await response.json().catch(() => undefined);
  const { code, message, data } = body?.error ?? {};
  return new ApiError(
    code ?? (response.status === 401 ? "UNAUTHORIZED" : "UNKNOWN"),
    message ?? `The server answered ${response.status}.`,
    response.status,
    data,
  );
}

function searchOf(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return search.size > 0 ? `?${search}` : "";
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("Aborted", "AbortError"));
    });
  });
}
