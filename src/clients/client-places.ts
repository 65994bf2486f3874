import { isAbsolute, join } from "node:path";
import type { Client } from "./clients.ts";
import type { ConfigPlace } from "./config-file.ts";
import { isThere } from "./is-there.ts";

/** What decides where files of clients lie. */
export interface UserFolders {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Where a file of a row lies on this machine, and how people call it. */
export function placeFile(
  file: string,
  { moves = [] }: Pick<Client, "moves">,
  { home, platform, env = {}, project }: UserFolders & { readonly project: string },
): ConfigPlace & { readonly shown: string } {
  if (!file.startsWith("~")) return { path: withComments(join(project, file)), below: project, shown: file };
  for (const [variable, from, to] of moves) {
    const folder = env[variable];
    if (folder !== undefined && isAbsolute(folder) && file.startsWith(from)) {
      return atHome(join(folder, to, file.slice(from.length)), home);
    }
  }
  const [start, ...rest] = file.split("/");
  return atHome(join(start === "~config" ? settingsFolder({ home, platform, env }) : home, ...rest), home);
}

function atHome(path: string, home: string): ConfigPlace & { readonly shown: string } {
  const found = withComments(path);
  return { path: found, shown: shownPath(found, home) };
}

/** As people write it. */
export function shownPath(path: string, home: string): string {
  const isBelow = path.startsWith(`${home}/`) || path.startsWith(`${home}\\`);
  return (isBelow ? `~${path.slice(home.length)}` : path).replaceAll("\\", "/");
}

/** Clients that read `x.json` and `x.jsonc` are told in the one that is there. */
function withComments(path: string): string {
  return path.endsWith(".json") && !isThere(path) && isThere(`${path}c`) ? `${path}c` : path;
}

/** Where programs with a window keep what their user set. */
function settingsFolder({ home, platform, env = {} }: UserFolders): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  const given = platform === "win32" ? env["APPDATA"] : env["XDG_CONFIG_HOME"];
  if (given !== undefined && isAbsolute(given)) return given;
  return platform === "win32" ? join(home, "AppData", "Roaming") : join(home, ".config");
}
