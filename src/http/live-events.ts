import type { Listening, LiveNews } from "../app.ts";
import type { ApiEvent } from "./api/contract/events.ts";

export interface LiveEventsOptions {
  /** So many events wait for a slow reader; past that it is told to look again. */
  readonly mostWaiting?: number;
  /** So that a connection that nobody reads from is noticed, and proxies keep it. */
  readonly beatEveryMs?: number;
  /** Then the reader connects again, and is asked for its credential again. */
  readonly lastsMs?: number;
}

const usual = { mostWaiting: 32, beatEveryMs: 20_000, lastsMs: 10 * 60_000 };

/**
 * News as server-sent events. What a reader does not take waits here, a bounded number of events; where more come, they
 * give way to one that says that something changed.
 */
export function liveEvents(
  listen: (tell: (news: LiveNews) => void) => Listening,
  options: LiveEventsOptions = {},
): ReadableStream<Uint8Array> {
  const { mostWaiting, beatEveryMs, lastsMs } = { ...usual, ...options };
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting: ApiEvent[] = [];
  let isGreeted = false;

  function flush(): void {
    while (waiting.length > 0 && hasRoom()) send(`data: ${JSON.stringify(waiting.shift())}\n\n`);
  }

  function hasRoom(): boolean {
    return (controller?.desiredSize ?? 0) > 0;
  }

  function send(text: string): void {
    controller?.enqueue(encoder.encode(text));
  }

  function tell(event: ApiEvent): void {
    // What came before the greeting is in what the reader looks at from there on.
    if (!isGreeted) return;
    waiting = waiting.length < mostWaiting ? [...waiting, event] : [{ kind: "stale" }];
    flush();
  }

  function stop(): void {
    controller = undefined;
    listening.stop();
    clearInterval(beat);
    clearTimeout(end);
  }

  // Before the timers: where it throws, nothing is left that nobody could stop.
  const listening = listen(tell);
  const beat = setInterval(() => {
    if (hasRoom()) send(":\n\n");
  }, beatEveryMs).unref();
  const end = setTimeout(() => {
    controller?.close();
    stop();
  }, lastsMs).unref();
  void listening.ready.then(() => {
    isGreeted = true;
    tell({ kind: "hello" });
  });

  return new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened;
      },
      pull: flush,
      cancel: stop,
    },
    { highWaterMark: 1 },
  );
}
