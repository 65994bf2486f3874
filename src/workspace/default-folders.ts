import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where a user's memory lies when nothing is configured. A data folder, not a cache folder: cleaners
 * may empty a cache at any time.
 */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32")
    return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "recollect");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "recollect");
  return join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "recollect");
}
