// Moves every entry of one folder into another, and kills itself right before its Nth call that changes something.
import { beforeEachCall } from "../../backends/files/interrupt-at-call.ts";
import { moveAll } from "./move-all.ts";

const [folder = "", nth = "0"] = process.argv.slice(2);
let calls = 0;
beforeEachCall((call) => {
  // Most of what is opened is only read.
  if (call !== "openSync") calls += 1;
  if (calls === Number(nth)) process.kill(process.pid, "SIGKILL");
});
await moveAll(folder);
