import type { Client } from "./clients.ts";

/** How this copy of recollect is started. */
export type Launch =
  | { readonly kind: "checkout"; readonly bin: string }
  | { readonly kind: "global" }
  | { readonly kind: "npx" };

/** What a user gives `init` to pass on to the server. */
export interface ServerFlags {
  readonly projectName?: string;
  readonly additionalFolders?: string;
  readonly memoryPath?: string;
  readonly agentId?: string;
}

export interface EntryRequest {
  readonly client: Client;
  readonly scope: "project" | "user";
  readonly launch: Launch;
  readonly platform: NodeJS.Platform;
  /** The absolute path. */
  readonly project: string;
  readonly flags: ServerFlags;
}

/** The part of a client's entry that is ours; every other key in it is the user's. */
export interface ServerEntry {
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
}

/** The name under which the server stands in every client. */
export const serverName = "recollect";

export const startCommand = "start-mcp-server";

export function createServerEntry(request: EntryRequest): ServerEntry {
  const { client, scope, project, flags } = request;
  // An absolute path in the user's own file would have every project work on the memory of that one.
  const given = scope === "project" ? (client.projectArgument ?? project) : client.userProjectArgument;
  const [command, ...before] = commandLineOf(request);
  const where = given === undefined ? [] : ["--project", given];
  const args = [...before, startCommand, ...where, "--context", client.name, ...argumentsOf(flags)];
  return { ...(client.namesTransport ? { type: "stdio" as const } : {}), command, args };
}

function commandLineOf({ client, launch, platform }: EntryRequest): [string, ...string[]] {
  if (launch.kind === "checkout") return ["node", launch.bin];
  const line: [string, ...string[]] = launch.kind === "global" ? [serverName] : ["npx", "-y", serverName];
  // On Windows both are .cmd files, which a plain spawn does not find.
  return platform === "win32" && client.needsWindowsShell ? ["cmd", "/c", ...line] : line;
}

/** In the order in which they are written. */
export const passedOn: readonly (readonly [flag: string, key: keyof ServerFlags])[] = [
  ["--project-name", "projectName"],
  ["--additional-folders", "additionalFolders"],
  ["--memory-path", "memoryPath"],
  ["--agent-id", "agentId"],
];

function argumentsOf(flags: ServerFlags): string[] {
  return passedOn.flatMap(([flag, key]) => {
    const value = flags[key];
    return value === undefined ? [] : [flag, value];
  });
}
