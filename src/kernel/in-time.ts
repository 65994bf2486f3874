import type { Worker } from "node:worker_threads";

/** What comes of the work, or what `late` says where that takes longer. The work goes on; no failure of it is heard then. */
export async function inTime<Result, Late>(
  work: Promise<Result>,
  ms: number,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** The next message of a thread, for which the process stays. Where it takes longer than the limit, it is for the caller to end the thread. */
export function nextMessage<Message extends object>(
  worker: Worker,
  limitMs: number,
): Promise<Message | "late" | "died"> {
  return new Promise((resolve) => {
    const told = (message: Message) => settle(message);
    const died = () => settle("died");
    // One turn more: where this thread itself was held up, the message may have been waiting for it.
    const late = () => setImmediate(() => settle("late"));
    const timer = setTimeout(late, limitMs);
    function settle(message: Message | "late" | "died"): void {
      clearTimeout(timer);
      worker.off("message", told).off("exit", died);
      worker.unref();
      resolve(message);
    }
    worker.once("message", told).once("exit", died);
    worker.ref();
  });
}
