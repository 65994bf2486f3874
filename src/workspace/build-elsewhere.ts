import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { IndexProgress } from "../search/search.ts";
import type { OpenSearchOptions } from "./open-search.ts";
import type { SearchedPlan } from "./searched-roots.ts";

/** What a process must know to build the index of a root as this one would. */
export interface BuildRequest {
  readonly plan: SearchedPlan;
  readonly root: string;
  readonly search: Pick<OpenSearchOptions, "folder" | "guard" | "usesMeaning" | "model" | "weights">;
}

export type BuildReply = Pick<IndexProgress, "done" | "total">;

/**
 * Builds the index of a root in a process of its own: what that needs of memory is given back when it ends, and this
 * one answers meanwhile from what is there. False where it did not come to its end: then what is left is done here.
 */
export async function buildElsewhere(
  request: BuildRequest,
  onProgress: (progress: BuildReply) => void,
  signal: AbortSignal,
): Promise<boolean> {
  // The sources are run as they are, the build as JavaScript.
  const file = import.meta.url.endsWith(".ts") ? "./index-builder.ts" : "./index-builder.js";
  try {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
      serialization: "advanced",
      // What it prints must not get between MCP's lines.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // Flags of the process, such as those for a script on its command line, are not meant for this one.
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    return await new Promise<boolean>((resolve) => {
      // Whatever it has written is whole: it can be ended at any time.
      const stop = () => void child.kill("SIGKILL");
      signal.addEventListener("abort", stop, { once: true });
      const settle = (isBuilt: boolean) => {
        signal.removeEventListener("abort", stop);
        resolve(isBuilt);
      };
      child.on("message", onProgress);
      child.once("error", () => settle(false));
      child.once("exit", (code) => settle(code === 0));
      // One that ends before it has read this is noticed by its exit.
      child.send(request, () => {});
      if (signal.aborted) stop();
    });
  } catch {
    // No right to start processes, or no memory for one.
    return false;
  }
}
