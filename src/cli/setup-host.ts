import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Surroundings } from "../index.ts";
import type { Io } from "./output.ts";

/** What `init` and `uninstall` need of the machine and of the person before it; tests give their own. */
export interface SetupHost {
  readonly surroundings: Surroundings;
  readonly nodeVersion: string;
  readonly colour: boolean;
  /** Where bin/load.cjs keeps compiled code. */
  readonly codeCache?: string;
  /** Asks a person; absent where nobody can answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** The same place on every system, as in bin/load.cjs. */
function cacheHome(env: NodeJS.ProcessEnv): string {
  const given = [env["XDG_CACHE_HOME"], env["LOCALAPPDATA"]];
  return given.find((place) => place !== undefined && isAbsolute(place)) ?? join(homedir(), ".cache");
}

export function processHost(io: Io): SetupHost {
  const { env } = process;
  return {
    surroundings: {
      cwd: process.cwd(),
      home: homedir(),
      platform: process.platform,
      searchPath: (env["PATH"] ?? "").split(delimiter),
      // Resolved at run time, so that the bundle and the plain build find the same folder.
      packageFolder: dirname(createRequire(import.meta.url).resolve("recollect/package.json")),
    },
    nodeVersion: process.versions.node,
    colour: io.terminal && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    codeCache: join(cacheHome(env), "recollect", "compile-cache"),
    ...(io.confirm ? { confirm: io.confirm } : {}),
  };
}
