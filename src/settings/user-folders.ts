import { homedir } from "node:os";
import { posix, win32 } from "node:path";

export interface UserPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Where a user keeps settings that hold for all projects. */
export function userSettingsFile(place: Partial<UserPlace> = {}): string {
  const { env, home, platform } = placeOf(place);
  if (platform === "win32") {
    const roaming = absolute(env["APPDATA"], win32) ?? win32.join(home, "AppData", "Roaming");
    return win32.join(roaming, "recollect", "config.yaml");
  }
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "recollect", "config.yaml");
  return posix.join(absolute(env["XDG_CONFIG_HOME"], posix) ?? posix.join(home, ".config"), "recollect", "config.yaml");
}

/** Where a user's data lies. A data folder, not a cache folder: cleaners may empty a cache at any time. */
export function userDataFolder(place: Partial<UserPlace> = {}): string {
  const { env, home, platform } = placeOf(place);
  if (platform === "win32") {
    return win32.join(absolute(env["LOCALAPPDATA"], win32) ?? win32.join(home, "AppData", "Local"), "recollect");
  }
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "recollect");
  return posix.join(absolute(env["XDG_DATA_HOME"], posix) ?? posix.join(home, ".local", "share"), "recollect");
}

/** Where lies what can be made again at any time. */
export function userCacheFolder(place: Partial<UserPlace> = {}): string {
  const { env, home, platform } = placeOf(place);
  if (platform === "win32") return win32.join(userDataFolder({ env, home, platform }), "cache");
  if (platform === "darwin") return posix.join(home, "Library", "Caches", "recollect");
  return posix.join(absolute(env["XDG_CACHE_HOME"], posix) ?? posix.join(home, ".cache"), "recollect");
}

/** Where what the last sessions of agents were about is kept, of all projects. */
export function sessionRecordsFolder(place: Partial<UserPlace> = {}): string {
  const { join } = placeOf(place).platform === "win32" ? win32 : posix;
  return join(userDataFolder(place), "sessions");
}

/** Where hooks keep for a week what sessions were given, of all projects. */
export function sessionLogsFolder(place: Partial<UserPlace> = {}): string {
  const { join } = placeOf(place).platform === "win32" ? win32 : posix;
  return join(userCacheFolder(place), "sessions");
}

function placeOf({ env = process.env, home = homedir(), platform = process.platform }: Partial<UserPlace>): UserPlace {
  return { env, home, platform };
}

/** The XDG specification has relative values ignored: they would mean another folder in every working directory. */
function absolute(path: string | undefined, { isAbsolute }: typeof posix): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
