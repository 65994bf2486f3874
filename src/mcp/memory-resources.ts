import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type SubscriptionFilter,
} from "@modelcontextprotocol/server";
import { isRecollectError, type Memories, type Rev } from "../index.ts";

const scheme = "memory:///";
/** How often a client that uses resources is told what others have changed. */
const lookEveryMs = 1000;
/** A client that subscribes to more is told of the latest alone. */
const mostSubscribed = 500;
const pageSize = 200;

export interface MemoryResources {
  /** To be called when the server's own tools changed something, so that nobody waits for the next look. */
  changed(): void;
}

/** Calls back with what the client listens for, as often as it says so, and answers it once that is done. */
export type OnListen = (hear: (filter: SubscriptionFilter) => Promise<void>) => void;

/**
 * Memories as resources, with notices of changes: of our own at once, of those that other processes, editors
 * or a `git pull` make by looking again, which only a client that uses resources has to pay for.
 */
export function registerMemoryResources(
  server: McpServer,
  options: { memories: Memories; onListen: OnListen | undefined },
): MemoryResources {
  const { memories, onListen } = options;
  /** What the client wants to hear of, with the revision that it knows. */
  const subscribed = new Map<string, Rev | undefined>();
  let listed: readonly string[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isWaiting = false;

  server.registerResource(
    "memory",
    new ResourceTemplate(`${scheme}{+name}`, { list: undefined }),
    { title: "Memory", description: "A note of this project", mimeType: "text/markdown" },
    async (uri) => {
      const name = toName(uri.href);
      const { content, rev } = await read(name, uri.href);
      if (subscribed.has(name)) subscribed.set(name, rev);
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text: content }] };
    },
  );
  // In place of the template's own way, which knows no pages.
  server.server.setRequestHandler("resources/list", async ({ params }) => {
    const after = params?.cursor;
    const page = await memories.list({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    await rememberList();
    return {
      resources: page.memories.flatMap(({ name, summary, modified, rev }) =>
        rev === undefined ? [] : [toResource(name, summary, modified)],
      ),
      ...(page.next === undefined ? {} : { nextCursor: page.next }),
    };
  });
  server.server.setRequestHandler("resources/subscribe", async ({ params }) => {
    await subscribe(params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
    subscribed.delete(toName(params.uri));
    return {};
  });

  onListen?.(async ({ resourceSubscriptions = [], resourcesListChanged }) => {
    for (const uri of resourceSubscriptions.slice(0, mostSubscribed)) await subscribe(uri).catch(() => {});
    if (resourcesListChanged) await rememberList();
  });

  async function subscribe(uri: string): Promise<void> {
    const name = toName(uri);
    if (subscribed.has(name)) return;
    subscribed.set(name, await revOf(name));
    const [oldest] = subscribed.keys();
    if (subscribed.size > mostSubscribed && oldest !== undefined) subscribed.delete(oldest);
    watch();
  }

  async function rememberList(): Promise<void> {
    listed ??= await memories.names();
    watch();
  }

  async function read(name: string, uri: string) {
    try {
      return await memories.read(name, { maxChars: Number.POSITIVE_INFINITY });
    } catch (error) {
      if (isRecollectError(error) && ["NOT_FOUND", "INVALID_PATH"].includes(error.code)) {
        throw new ResourceNotFoundError(uri);
      }
      throw error;
    }
  }

  async function revOf(name: string): Promise<Rev | undefined> {
    try {
      return (await memories.read(name, { maxChars: 1 })).rev;
    } catch (error) {
      if (isRecollectError(error)) return undefined;
      throw error;
    }
  }

  function watch(): void {
    timer ??= nextLook();
    server.server.onclose ??= () => clearTimeout(timer);
  }

  /** Many names are looked at less often: 10,000 of them cost a tenth of a second each time. */
  function nextLook(): NodeJS.Timeout {
    const wait = Math.max(lookEveryMs, (listed?.length ?? 0) / 2);
    return setTimeout(() => {
      lookSoon();
      timer = nextLook();
    }, wait).unref();
  }

  /** One look after the other, and one at most that waits: two at once would tell of one change twice. */
  function lookSoon(): void {
    if (isWaiting) return;
    isWaiting = true;
    looking = looking
      .then(() => {
        isWaiting = false;
        return look();
      })
      .catch(() => {});
  }

  async function look(): Promise<void> {
    for (const [name, before] of subscribed) {
      const now = await revOf(name);
      if (now === before || !subscribed.has(name)) continue;
      subscribed.set(name, now);
      void server.server.sendResourceUpdated({ uri: toUri(name) }).catch(() => {});
    }
    if (listed === undefined) return;
    const now = await memories.names();
    if (now.join("\n") !== listed.join("\n")) server.sendResourceListChanged();
    listed = now;
  }

  return {
    changed: () => {
      if (timer) lookSoon();
    },
  };
}

function toResource(name: string, summary: string, modified: number) {
  return {
    uri: toUri(name),
    name,
    title: name,
    mimeType: "text/markdown",
    ...(summary === "" ? {} : { description: summary }),
    annotations: { lastModified: new Date(modified).toISOString() },
  };
}

function toUri(name: string): string {
  return scheme + name.split("/").map(encodeURIComponent).join("/");
}

function toName(uri: string): string {
  if (!uri.startsWith(scheme)) throw new ResourceNotFoundError(uri);
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    throw new ResourceNotFoundError(uri);
  }
}
