import { besideModule, forkBeside } from "../../processes/fork-beside.ts";
import type { WorkspaceOptions } from "../../workspace/workspace.ts";
import type { Finding } from "./diagnose.ts";

/** How another process opens the same workspace. */
export type DiagnoseRequest = Pick<WorkspaceOptions, "cwd" | "project" | "flags" | "env" | "home">;

/**
 * What `doctor` finds, by a process of its own: it reads every note, and nobody else would be answered meanwhile.
 * Undefined where that process cannot be started, or did not come to its end.
 */
export async function diagnoseElsewhere(
  request: DiagnoseRequest,
  signal: AbortSignal,
): Promise<readonly Finding[] | undefined> {
  try {
    signal.throwIfAborted();
    const child = forkBeside(besideModule("doctor", import.meta.url));
    const stop = () => void child.kill();
    signal.addEventListener("abort", stop);
    return await new Promise((resolve) => {
      child.once("error", () => resolve(undefined));
      child.once("exit", () => {
        signal.removeEventListener("abort", stop);
        resolve(undefined);
      });
      child.once("message", (findings: readonly Finding[]) => resolve(findings));
      // One that ends before it has read this is noticed by its exit.
      child.send(request, () => {});
    });
  } catch {
    // No right to start a process, no memory for one, or nobody wants it any more.
    return undefined;
  }
}
