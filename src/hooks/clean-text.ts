import { createGuard, onOneLine, openPurgedValues, userDataFolder } from "../app.ts";
import type { HookHost } from "./hook-host.ts";

/** More than is kept of any text. */
const beginningChars = 4000;

/**
 * The beginning of a text, or nothing where the guard finds a secret in it or it holds a value that was purged: what a
 * session said is kept no less carefully than notes, except that nobody allows anything here.
 */
export function cleanText(text: string, { user, switches }: Pick<HookHost, "user" | "switches">): string {
  const beginning = text.slice(0, beginningChars);
  const guard = createGuard({ policy: switches.guard, allowed: new Set() });
  if (guard.scan(beginning).length > 0) return "";
  const purged = openPurgedValues({ folder: userDataFolder(user) });
  // It is kept on one line, which may be the form that was purged.
  const isPurged = [beginning, onOneLine(beginning, beginningChars)].some((form) => purged.find(Buffer.from(form)));
  return isPurged ? "" : beginning;
}
