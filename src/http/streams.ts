import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { inTime } from "../kernel/in-time.ts";

/** Who listens to a stream. */
interface Listener {
  readonly stillMay: () => Promise<boolean>;
  /** What it listens by; without a socket there is none. */
  readonly socket?: Socket | undefined;
}

/** Room for one stream, from before it is made. */
interface StreamPlace {
  /** Keeps count of an answer for as long as it lasts, its credential holds, and somebody is there. */
  keep(response: Response, listener: Listener): Response;
  /** Where no stream came of it; after `keep` it does nothing. */
  giveBack(): void;
}

/** The answers that have no end of their own: subscriptions and live updates. */
export interface Streams {
  /** Undefined where no more may be opened. */
  reserve(key: string): StreamPlace | undefined;
  readonly count: number;
  endAll(): void;
}

interface StreamsOptions {
  readonly most: number;
  readonly mostEach: number;
  /** How soon a stream ends whose credential was revoked or has expired. */
  readonly checkEveryMs: number;
  /** A check that takes longer is made again. */
  readonly checkMs: number;
}

interface Place {
  readonly key: string;
  end: (() => void) | undefined;
}

export function createStreams({ most, mostEach, checkEveryMs, checkMs }: StreamsOptions): Streams {
  const places = new Set<Place>();

  /** Each for itself: a check that hangs keeps no other stream open. */
  async function endOnceRevoked(place: Place, stillMay: () => Promise<boolean>): Promise<void> {
    while (places.has(place)) {
      await delay(checkEveryMs, undefined, { ref: false });
      if (!places.has(place)) return;
      // One that fails says nothing; one that answers late still counts.
      const checked = stillMay().then(
        (may) => may || place.end?.(),
        () => {},
      );
      await inTime(checked, checkMs, () => undefined);
    }
  }

  return {
    reserve: (key) => {
      const own = [...places].filter((place) => place.key === key).length;
      if (places.size >= most || own >= mostEach) return undefined;
      const place: Place = { key, end: undefined };
      places.add(place);
      return {
        keep: (response, { stillMay, socket }) => {
          const kept = withEnd(response, () => {
            places.delete(place);
            socket?.off("close", kept.end);
          });
          place.end = kept.end;
          // Who has gone by now never begins to read, and so nobody would notice.
          if (socket?.destroyed) kept.end();
          else socket?.once("close", kept.end);
          void endOnceRevoked(place, stillMay);
          return kept.response;
        },
        giveBack: () => {
          if (!place.end) places.delete(place);
        },
      };
    },
    get count() {
      return places.size;
    },
    endAll: () => {
      for (const { end } of places) end?.();
    },
  };
}

/** Whether there is more to come after the head of an answer. */
export function isEventStream(response: Response): boolean {
  // The type first: whoever looks at the body has a stream made of a plain text.
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true && response.body !== null;
}

/**
 * The same answer, of which is told when its body is over, however that came about, and which can be ended from here.
 * What it was made from is cancelled then, so that whoever fills it stops.
 */
export function withEnd(
  response: Response,
  over: () => void,
): { readonly response: Response; readonly end: () => void } {
  const reader = response.body?.getReader();
  let isOver = false;
  let close = () => {};
  const finish = () => {
    if (isOver) return;
    isOver = true;
    over();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      close = () => controller.close();
    },
    pull: async (controller) => {
      try {
        const part = await reader?.read();
        if (isOver) return;
        if (part?.value) return controller.enqueue(part.value);
        finish();
        controller.close();
      } catch (error) {
        finish();
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      finish();
      await reader?.cancel(reason);
    },
  });
  return {
    response: new Response(body, { status: response.status, headers: response.headers }),
    end: () => {
      if (isOver) return;
      finish();
      close();
      void reader?.cancel().catch(() => {});
    },
  };
}
