import type { RootFolderOptions } from "../../backends/files/root-folders.ts";
import { type ErrorCode, RecollectError } from "../../kernel/errors.ts";
import { type Log, type LogLevel, noLog } from "../../kernel/log.ts";
import type { CatchUp } from "../../kernel/root-history.ts";
import { besideModule, forkBeside } from "../../processes/fork-beside.ts";
import type { MirrorOptions } from "./mirror.ts";

/** What a process must know to record the history of a root as this one would. */
export interface RecordRequest {
  readonly folders: readonly RootFolderOptions[];
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mirror?: MirrorOptions | undefined;
  readonly waitMs: number;
  /** Whether it goes on when the process that asked has ended. */
  readonly outlives?: boolean;
}

export type RecordReply =
  | { readonly kind: "said"; readonly said: { level: LogLevel; event: string; fields: Record<string, unknown> } }
  | { readonly kind: "caught"; readonly caught: CatchUp }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly code: ErrorCode | undefined;
      readonly data: Record<string, unknown>;
    };

/** Of what is read once, little need be kept: the usual size would take more than all the rest. */
const flags = ["--max-semi-space-size=4"];

/**
 * Records the history of a root in a process of its own: it reads all documents, and knows what history has of each,
 * for which one that answers others has neither the memory nor the time. Undefined where it did not come to its end,
 * of which nothing is lost: then what is left is done here.
 */
export async function recordElsewhere(
  request: RecordRequest,
  log: Log = noLog,
  closing: AbortSignal = new AbortController().signal,
): Promise<CatchUp | undefined> {
  if (closing.aborted) return leftToOthers;
  try {
    const reply = await ask(request, log, closing);
    if (closing.aborted && !reply) return leftToOthers;
    if (reply?.kind !== "failed") return reply?.caught;
    const { message, code, data } = reply;
    throw code === undefined ? new Error(message) : new RecollectError(code, message, { data });
  } catch (error) {
    // No right to start a process, or no memory for one.
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

/** How long such a process waits for another one that records. */
const laterMs = 30_000;

/**
 * Has a process record that goes on after this one: a command need not wait for what takes seconds. Where none can be
 * started, the next command that looks at history records.
 */
export async function recordLater(request: Omit<RecordRequest, "waitMs" | "outlives">): Promise<void> {
  try {
    const child = forkBeside(besideModule("history-recorder", import.meta.url), flags, { outlives: true });
    await new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
      // Another one that records just now may be past what was written last.
      child.send({ ...request, waitMs: laterMs, outlives: true }, () => resolve());
    });
    if (child.connected) child.disconnect();
    child.unref();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** Ended in the middle of it, that process leaves what is whole. */
const leftToOthers: CatchUp = { kind: "busy" };

function ask(
  request: RecordRequest,
  log: Log,
  closing: AbortSignal,
): Promise<Exclude<RecordReply, { kind: "said" }> | undefined> {
  const child = forkBeside(besideModule("history-recorder", import.meta.url), flags);
  return new Promise((resolve) => {
    const end = () => void child.kill();
    closing.addEventListener("abort", end);
    child.once("error", () => resolve(undefined));
    child.once("exit", () => {
      closing.removeEventListener("abort", end);
      resolve(undefined);
    });
    child.on("message", (reply: RecordReply) => {
      if (reply.kind === "said") log(reply.said.level, reply.said.event, reply.said.fields);
      else resolve(reply);
    });
    // One that ends before it has read this is noticed by its exit.
    child.send(request, () => {});
  });
}
