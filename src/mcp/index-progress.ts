import type { ServerContext } from "@modelcontextprotocol/server";
import type { OnIndexProgress } from "../app.ts";

/** Tells a client that asked for it how far the index is which its answer waits for. */
export function indexProgress({ mcpReq }: ServerContext): OnIndexProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ root, done, total }) => {
    const params = { progressToken, progress: done, total, message: `Indexing ${root}` };
    // A client that has gone needs no progress.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
