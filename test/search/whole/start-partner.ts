import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PartnerOrder } from "./partner.ts";
import type { Action } from "./perform.ts";

export interface Partner {
  /** Resolved once it is done, or the process has ended. */
  tell(order: PartnerOrder): Promise<void>;
  perform(action: Action): Promise<void>;
  /** Without a chance to do anything about it. */
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL("./partner.ts", import.meta.url));

/** Ends with whoever started it. */
export function startPartner(): Partner {
  const child: ChildProcess = fork(script, [], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const waiting: PromiseWithResolvers<void>[] = [];
  let isKilled = false;
  child.on("message", () => waiting.shift()?.resolve());
  child.on("exit", (code, signal) => {
    for (const one of waiting.splice(0)) {
      if (isKilled) one.resolve();
      else one.reject(new Error(`the other process ended by ${signal ?? code}`));
    }
  });
  const tell = (order: PartnerOrder) => {
    const done = Promise.withResolvers<void>();
    waiting.push(done);
    child.send(order);
    return done.promise;
  };
  return {
    tell,
    perform: (action) => tell({ perform: action }),
    kill: async () => {
      isKilled = true;
      child.kill("SIGKILL");
      await exited;
    },
  };
}
