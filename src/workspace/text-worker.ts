import { parentPort } from "node:worker_threads";
import type { TextRequest } from "./text-threads.ts";
import { createTextWork } from "./text-work.ts";

const work = createTextWork();

/** Works on long texts beside a process that answers others meanwhile. What fails here ends the thread. */
parentPort?.on("message", (request: TextRequest) => {
  const answer =
    request.kind === "scan"
      ? { findings: work.scan(request.text, request.policy) }
      : work.compare(request.before, request.after, request.most);
  parentPort?.postMessage(answer);
});
parentPort?.postMessage("ready");
