// Does one operation over several folders, and kills itself right before its Nth file system call.
import { openFilesStore } from "../../../src/app.ts";
import { interruptAtCall } from "./interrupt-at-call.ts";
import { spanningChanges } from "./spanning-operation.ts";

const [folder = "", nth = "0"] = process.argv.slice(2);
const store = openFilesStore({ roots: [{ name: "notes", folder }], now: Date.now });
const { addresses, changes } = spanningChanges();
interruptAtCall(Number(nth), () => process.kill(process.pid, "SIGKILL"));
await store.commit(addresses.map(store.resolve), () => changes, { author: "agent:killed" });
process.stdout.write("acknowledged\n");
