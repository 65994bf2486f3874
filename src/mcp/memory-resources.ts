import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type SubscriptionFilter,
} from "@modelcontextprotocol/server";
import { isRecollectError, type Memories } from "../app.ts";
import { type MemoryListener, type MemoryWatch, mostSubscribed } from "./memory-watch.ts";

const scheme = "memory:///";
const pageSize = 200;
const template = new ResourceTemplate(`${scheme}{+name}`, { list: undefined });

export interface MemoryResourceOptions {
  readonly memories: Memories;
  /** Notices what changes; without it the client of this server is told of nothing. */
  readonly watch: MemoryWatch | undefined;
  readonly onListen: OnListen | undefined;
}

/** Calls back with what the client listens for, as often as it says so, and answers it once that is done. */
export type OnListen = (hear: (filter: SubscriptionFilter) => Promise<void>) => void;

/** Memories as resources, with notices of changes. Only a client that uses resources has to pay for those. */
export function registerMemoryResources(server: McpServer, options: MemoryResourceOptions): void {
  const { memories, onListen } = options;
  let listener: MemoryListener | undefined;

  /** Made when it is first needed: most clients never listen. */
  function listening(): MemoryListener | undefined {
    if (listener || !options.watch) return listener;
    listener = options.watch.listen({
      updated: (name) => void server.server.sendResourceUpdated({ uri: toUri(name) }).catch(() => {}),
      listChanged: () => server.sendResourceListChanged(),
    });
    const before = server.server.onclose;
    server.server.onclose = () => {
      listener?.end();
      before?.();
    };
    return listener;
  }

  server.registerResource(
    "memory",
    template,
    { title: "Memory", description: "A note of this project", mimeType: "text/markdown" },
    async (uri) => {
      const name = toName(uri.href);
      const { content, rev } = await read(name, uri.href);
      listener?.knows(name, rev);
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text: content }] };
    },
  );
  // In place of the template's own way, which knows no pages.
  server.server.setRequestHandler("resources/list", async ({ params }) => {
    const after = params?.cursor;
    const page = await memories.list({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    await listening()?.followList();
    return {
      resources: page.memories.flatMap(({ name, summary, modified, rev }) =>
        rev === undefined ? [] : [toResource(name, summary, modified)],
      ),
      ...(page.next === undefined ? {} : { nextCursor: page.next }),
    };
  });
  server.server.setRequestHandler("resources/subscribe", async ({ params }) => {
    await listening()?.subscribe(toName(params.uri));
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
    listener?.unsubscribe(toName(params.uri));
    return {};
  });

  onListen?.(async (filter) => {
    const heard = listening();
    if (heard) await follow(heard, filter);
  });

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
}

/** Has a listener follow what a client of the newer era listens for. What names no memory is nothing to follow. */
export async function follow(listener: MemoryListener, filter: SubscriptionFilter): Promise<void> {
  const { resourceSubscriptions = [], resourcesListChanged } = filter;
  for (const uri of resourceSubscriptions.slice(0, mostSubscribed)) {
    const name = nameIn(uri);
    if (name !== undefined) await listener.subscribe(name);
  }
  if (resourcesListChanged) await listener.followList();
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

export function toUri(name: string): string {
  return scheme + name.split("/").map(encodeURIComponent).join("/");
}

function toName(uri: string): string {
  const name = nameIn(uri);
  if (name === undefined) throw new ResourceNotFoundError(uri);
  return name;
}

function nameIn(uri: string): string | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    return undefined;
  }
}
