import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Surroundings } from "../app.ts";
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
  /** Asks for one of these letters; undefined is none of them. */
  readonly choose?: (question: string, letters: readonly string[]) => Promise<string | undefined>;
}

/** The same place on every system, as in bin/load.cjs. */
function cacheHome(env: NodeJS.ProcessEnv, home: string): string {
  const given = [env["XDG_CACHE_HOME"], env["LOCALAPPDATA"]];
  return given.find((place) => place !== undefined && isAbsolute(place)) ?? join(home, ".cache");
}

/** Where `io` says for whom a command runs, the files of clients are that person's, too. */
export function processHost(io: Io): SetupHost {
  const { cwd, env, home } = io.place ?? { cwd: process.cwd(), env: process.env, home: homedir() };
  return {
    surroundings: {
      cwd,
      env,
      home,
      platform: process.platform,
      searchPath: (process.env["PATH"] ?? "").split(delimiter),
      // Resolved at run time, so that the bundle and the plain build find the same folder.
      packageFolder: dirname(createRequire(import.meta.url).resolve("recollect/package.json")),
    },
    nodeVersion: process.versions.node,
    colour: io.terminal && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    codeCache: join(cacheHome(env, home), "recollect", "compile-cache"),
    ...(io.confirm ? { confirm: io.confirm } : {}),
    ...(io.choose ? { choose: io.choose } : {}),
  };
}
