import { type Io, printable } from "./output.ts";

/** What git says of its progress, on one line of stderr, where a person waits for it. */
export function showSyncProgress(io: Io, json: boolean) {
  if (!io.terminal || json) return { onProgress: undefined, end: () => {} };
  let isShown = false;
  return {
    onProgress: (text: string) => {
      const last = text.split(/[\r\n]+/).findLast((line) => line.trim() !== "");
      if (last === undefined) return;
      isShown = true;
      io.err(`\r\u001b[K${printable(last.slice(0, 70))}`);
    },
    end: () => {
      if (isShown) io.err("\r\u001b[K");
      isShown = false;
    },
  };
}
