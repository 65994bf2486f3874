import { type Io, printable } from "./output.ts";

const everyMs = 100;

/** On one line of stderr, where a person waits for it. */
export function showOneLine(
  io: Io,
  json: boolean,
): { readonly show: (text: string) => void; readonly end: () => void } {
  if (!io.terminal || json) return { show: () => {}, end: () => {} };
  let last = 0;
  return {
    show: (text) => {
      const now = performance.now();
      if (now - last < everyMs) return;
      last = now;
      io.err(`\r\u001b[K${printable(text)}`);
    },
    end: () => {
      if (last > 0) io.err("\r\u001b[K");
    },
  };
}
