import { userDataFolder } from "./user-folders.ts";

/** Where a user's memory lies when nothing is configured. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return userDataFolder({ env });
}
