import type { Untrusted } from "./distrust-project.ts";
import { shorten } from "./refuse-setting.ts";

/**
 * What a project's settings file asked for in vain, in words for the user (CFG-2). The value is cut: it is written by
 * whoever made the project, and a model reads it at connection.
 */
export function untrustedNotices(untrusted: readonly Untrusted[]): string[] {
  return untrusted.map(({ key, value, why, line, trustable }) => {
    const what = `recollect.yaml sets ${key} to ${shorten(String(value))} (line ${line})`;
    const remedy = trustable
      ? "Look at the file, then allow it with: recollect trust"
      : "Set it in your own settings file, the environment or a flag if you want it.";
    return `${what}, which has no effect, since ${why}. ${remedy}`;
  });
}
