import { besideModule, forkBeside } from "../../processes/fork-beside.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { BackendSetup } from "../../roots/open-backends.ts";
import type { IndexProgress } from "../search.ts";
import type { OpenSearchOptions } from "./open-search.ts";
import type { SearchedPlan } from "./searched-roots.ts";

/** What a process must know to build the index of a root as this one would. */
export interface BuildRequest {
  readonly plan: SearchedPlan & Pick<RootPlan, "roots"> & { readonly setup: BackendSetup };
  readonly root: string;
  /** The name of its index. */
  readonly index: string;
  readonly search: Pick<OpenSearchOptions, "folder" | "guard" | "usesMeaning" | "model" | "weights">;
}

/** How far it is, and that it is built: then it is put in order, for which nobody waits. */
export type BuildReply = Pick<IndexProgress, "done" | "total"> | "built";

/**
 * Builds the index of a root in a process of its own: what that needs of memory is given back when it ends, and this
 * one answers meanwhile from what is there. False where it did not come to its end: then what is left is done here.
 */
export async function buildElsewhere(
  request: BuildRequest,
  onProgress: (progress: Pick<IndexProgress, "done" | "total">) => void,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    signal.throwIfAborted();
    const child = forkBeside(besideModule("index-builder", import.meta.url));
    // Whatever it has written is whole: it can be ended at any time.
    const stop = () => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop);
    child.once("exit", () => signal.removeEventListener("abort", stop));
    return await new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false));
      child.once("exit", () => resolve(false));
      child.on("message", (reply: BuildReply) => {
        if (reply !== "built") return onProgress(reply);
        child.unref();
        child.channel?.unref();
        resolve(true);
      });
      // One that ends before it has read this is noticed by its exit.
      child.send(request, () => {});
    });
  } catch {
    // No right to start a process, no memory for one, or nobody wants it any more.
    return false;
  }
}
