import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Another process of the bench, which is told what to do and answers each request with one message. */
export interface Worker {
  ask<Answer>(request: unknown): Promise<Answer>;
  kill(): void;
  stop(): Promise<void>;
}

export async function startWorker(url: URL, args: readonly string[] = []): Promise<Worker> {
  const child = fork(fileURLToPath(url), [...args], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await nextMessage(child);
  return {
    ask: async <Answer>(request: unknown) => {
      const answer = nextMessage(child);
      child.send(request as object);
      return (await answer) as Answer;
    },
    kill: () => child.kill("SIGKILL"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Several of the same kind. Where one does not start, none is left behind. */
export async function withWorkers<Result>(
  url: URL,
  count: number,
  use: (workers: readonly Worker[]) => Promise<Result>,
): Promise<Result> {
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startWorker(url)));
  const workers = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  try {
    for (const start of starts) if (start.status === "rejected") throw start.reason;
    return await use(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** The other side: says that it is ready, then serves one request after the other. */
export function serveRequests<Request>(handle: (request: Request) => Promise<unknown>): void {
  process.on("message", async (request) => {
    process.send?.((await handle(request as Request)) as object);
  });
  process.send?.("ready");
}

/** Gives the milliseconds that processors worked for this process since. */
export function startCpu(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message),
      once(child, "exit", { signal }).then(([code, by]) => {
        throw new Error(`a process of the bench ended early (${by ?? code})`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
