import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * A process for what would take this one too much memory or time. Throws where none can be started. Told by messages,
 * and by the end of those that nobody needs it any more.
 */
export function forkBeside(
  program: URL,
  flags: readonly string[] = [],
  { outlives = false }: { readonly outlives?: boolean } = {},
): ChildProcess {
  return fork(fileURLToPath(program), [], {
    serialization: "advanced",
    // In a group of its own: what ends a command at a terminal does not end it.
    detached: outlives,
    // What it prints must not get between MCP's lines.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Flags of the process, such as those for a script on its command line, are not meant for this one.
    execArgv: [...flags],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
}

/** The file beside a module that a process or a thread runs: the sources are run as they are, the build as JavaScript. */
export function besideModule(name: string, moduleUrl: string): URL {
  return new URL(`./${name}.${moduleUrl.endsWith(".ts") ? "ts" : "js"}`, moduleUrl);
}
