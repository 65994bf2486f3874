import { join } from "node:path";
import { repository } from "../library.ts";
import type { Peer } from "./install.ts";
import type { ServerCommand } from "./stdio-client.ts";

export function ourCommand(folder: string): ServerCommand {
  const bin = join(repository, "bin", "recollect.cjs");
  return {
    args: [bin, "start-mcp-server", "--agent-id", "bench", "--app-cache-dir", join(folder, "ours")],
    // Compiled code is kept with the rest of the run, so that the first start is not somebody else's tenth.
    env: { XDG_CACHE_HOME: join(folder, "cache") },
  };
}

export function peerCommand(peer: Peer, folder: string): ServerCommand {
  return peer.name === "server-memory"
    ? { args: [peer.script], env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } }
    : { args: [peer.script, folder] };
}
