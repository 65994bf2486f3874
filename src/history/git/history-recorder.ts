import { openFilesStore } from "../../backends/files/store.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { giveWay } from "../give-way.ts";
import { openGitHistory } from "./history.ts";
import type { RecordReply, RecordRequest } from "./record-elsewhere.ts";

/** A process that records the history of a root for another one. Ended at any moment, it leaves what is whole. */
async function serve({ folders, root, env, mirror, waitMs }: RecordRequest): Promise<RecordReply> {
  const store = openFilesStore({ roots: folders.map((folder) => ({ ...folder, create: false })), now: Date.now });
  const log: Log = (level, event, fields = {}) => tell({ kind: "said", said: { level, event, fields } });
  const history = openGitHistory({ trail: store.trail(root), env, now: Date.now, log, mirror });
  try {
    return { kind: "caught", caught: await history.catchUp({ waitMs }) };
  } catch (error) {
    const { code, data } = isRecollectError(error) ? error : { code: undefined, data: {} };
    return { kind: "failed", message: error instanceof Error ? error.message : String(error), code, data };
  } finally {
    await history.close();
    await store.close();
  }
}

function tell(reply: RecordReply, done = () => {}): void {
  if (process.connected) process.send?.(reply, undefined, undefined, done);
  else done();
}

const end = () => process.exit(1);
process.once("disconnect", end);
process.once("message", async (request: RecordRequest) => {
  if (request.outlives) process.off("disconnect", end);
  giveWay(process.pid);
  tell(await serve(request), () => process.exit(0));
});
