import { join } from "node:path";
import { type Client, clients } from "./clients.ts";
import { isThere } from "./is-there.ts";
import type { Surroundings } from "./surroundings.ts";

/** The clients that are in evidence: in the project, in the home folder, or as a command. */
export function detectClients(project: string, surroundings: Surroundings): Client[] {
  const { home, searchPath, platform } = surroundings;
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return clients.filter(
    ({ evidence }) =>
      evidence.inProject.some((name) => isThere(join(project, name))) ||
      evidence.inHome.some((name) => isThere(join(home, name))) ||
      evidence.commands.some((command) =>
        searchPath.some((folder) => endings.some((ending) => isThere(join(folder, command + ending)))),
      ),
  );
}
