import { parentPort } from "node:worker_threads";
import { isRecollectError } from "../../kernel/errors.ts";
import { editText, type TextEdit } from "./edit-text.ts";

/** Runs edits in a thread of its own, which can be ended from outside whatever a regex is doing. */
parentPort?.on("message", ({ text, edit }: { text: string; edit: TextEdit }) => {
  try {
    parentPort?.postMessage({ edited: editText(text, edit) });
  } catch (error) {
    const { code, message, data } = isRecollectError(error)
      ? error
      : {
          code: "INVALID_ARGUMENT" as const,
          message: `The regular expression failed: ${String(error)}. Use a simpler one.`,
          data: {},
        };
    parentPort?.postMessage({ refused: { code, message, data } });
  }
});
parentPort?.postMessage("ready");
