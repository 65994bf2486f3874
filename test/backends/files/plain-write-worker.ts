// Writes one file of a plain root; is killed, or meets a failing disk, at its Nth file system call; or tells its calls.
import { isRecollectError, openFilesStore } from "../../../src/app.ts";
import { beforeEachCall, interruptAtCall } from "./interrupt-at-call.ts";
import { at, stamp } from "./scratch.ts";

const [folder = "", path = "", nth = "0", how = "kill"] = process.argv.slice(2);
const store = openFilesStore({ roots: [{ name: "notes", folder, plain: true }], now: Date.now });
const calls: string[] = [];
if (how === "trace") beforeEachCall((name) => calls.push(name));
interruptAtCall(Number(nth), () => {
  if (how === "kill") process.kill(process.pid, "SIGKILL");
  throw Object.assign(new Error("no space left"), { code: "ENOSPC", errno: -28 });
});
const put = (name: string) =>
  store.commit([at(name)].map(store.resolve), () => [{ kind: "put", at: at(name), content: "new" }], stamp);
try {
  await put(path);
  process.stdout.write(how === "trace" ? `${calls.join(" ")}\n` : "acknowledged\n");
} catch (error) {
  process.stdout.write(`${isRecollectError(error) ? error.code : error}\n`);
  // A store that met a failure is usable afterwards (KER-10).
  await put("afterwards.md");
}
await store.close();
