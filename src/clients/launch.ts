import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "./is-there.ts";
import { type Launch, serverName } from "./server-entry.ts";
import type { Surroundings } from "./surroundings.ts";

/** Finds out how clients can start this copy: from its checkout, as a command on PATH, or through npx. */
export function findLaunch({ packageFolder, searchPath, platform, home }: Surroundings): Launch {
  const inPackages = packageFolder.split(/[\\/]/).includes("node_modules");
  if (!inPackages && isThere(join(packageFolder, "src"))) {
    return { kind: "checkout", bin: join(packageFolder, "bin", "recollect.cjs") };
  }
  const bin = realPathOf(join(packageFolder, "bin", "recollect.cjs"));
  const isCommand = searchPath
    // npx and npm scripts put folders of their own on PATH, which a client will not have.
    .filter((folder) => folder !== "" && !/[\\/](_npx|node_modules)[\\/]/.test(`${folder}/`))
    .some((folder) =>
      platform === "win32"
        ? existsSync(join(folder, `${serverName}.cmd`)) &&
          realPathOf(join(folder, "node_modules", serverName)) === realPathOf(packageFolder)
        : bin !== undefined && realPathOf(join(folder, serverName)) === bin,
    );
  return isCommand ? { kind: "global" } : { kind: "npx", home };
}

function realPathOf(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}
