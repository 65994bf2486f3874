import type { ApiEvent } from "../api/contract/events.ts";
import type { ApiClient } from "./api-client.ts";
import { isAborted, isOffline } from "./api-error.ts";

export type LiveState = "connecting" | "live" | "offline";

/** What agents and people change elsewhere, as it happens. */
export interface Live {
  subscribe(listener: (event: ApiEvent) => void): () => void;
  /** Tells the state now, and each one that follows. */
  onState(listener: (state: LiveState) => void): () => void;
  stop(): void;
}

const firstPause = 1000;
const longestPause = 30_000;
const freshFor = 500;
/** The server says something every 20 seconds, so that a connection that nobody ended is noticed. */
const longestSilence = 60_000;

export function followEvents(client: ApiClient): Live {
  const listeners = new Set<(event: ApiEvent) => void>();
  const stateListeners = new Set<(state: LiveState) => void>();
  const stopping = new AbortController();
  let connection = new AbortController();
  let pause = firstPause;
  let hasBeenLive = false;
  const started = performance.now();
  let wake = () => {};
  let now: LiveState = "connecting";

  const tell = (state: LiveState) => {
    now = state;
    for (const listener of stateListeners) listener(state);
  };
  const emit = (event: ApiEvent) => {
    for (const listener of [...listeners]) listener(event);
  };

  /** From here on nothing is missed; what was loaded before may be outdated, unless that was just now. */
  function welcomed(): ApiEvent {
    tell("live");
    pause = firstPause;
    const isFresh = !hasBeenLive && performance.now() - started < freshFor;
    hasBeenLive = true;
    return { kind: isFresh ? "hello" : "stale" };
  }

  async function readOnce(): Promise<void> {
    connection = new AbortController();
    const response = await client.open("/events", AbortSignal.any([stopping.signal, connection.signal]));
    if (response.body === null) return;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => connection.abort(), longestSilence);
    };
    try {
      for await (const event of eventsOf(response.body, heard)) emit(event.kind === "hello" ? welcomed() : event);
    } finally {
      clearTimeout(silence);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (document.visibilityState === "visible") {
        // A stream ends after some minutes, so that whoever reads it shows a token that is still good.
        await readOnce().catch((error: unknown) => {
          if (!isAborted(error)) tell(isOffline(error) ? "offline" : "connecting");
        });
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        // Many tabs should not come back in the same instant.
        setTimeout(resolve, pause * (0.75 + Math.random() / 2));
      });
      pause = Math.min(pause * 2, longestPause);
    }
  }

  const hurry = () => {
    pause = firstPause;
    wake();
  };
  /**
   * A browser has six connections to one server, for all its tabs, and a seventh tab would wait for ever. So a hidden tab
   * gives its own back at once, and catches up when it is shown again.
   */
  const look = () => {
    if (document.visibilityState === "visible") hurry();
    else connection.abort();
  };
  addEventListener("online", hurry, { signal: stopping.signal });
  addEventListener("focus", hurry, { signal: stopping.signal });
  document.addEventListener("visibilitychange", look, { signal: stopping.signal });
  void run();

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      listener(now);
      return () => stateListeners.delete(listener);
    },
    stop: () => stopping.abort(),
  };
}

/** The events of a stream of server-sent events. `heard` is told of whatever comes. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, heard: () => void): AsyncGenerator<ApiEvent> {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    heard();
    const blocks = (rest + chunk).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n");
      if (data !== "") yield JSON.parse(data);
    }
  }
}
