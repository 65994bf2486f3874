import type { Client, Scope } from "./clients.ts";

/** How this copy of recollect is started. */
export type Launch =
  | { readonly kind: "checkout"; readonly bin: string }
  | { readonly kind: "global" }
  /** With the user's home folder where the files of this machine alone name it. */
  | { readonly kind: "npx"; readonly home?: string };

/** What a user gives `init` to pass on to the server. */
export interface ServerFlags {
  readonly projectName?: string;
  readonly additionalFolders?: string;
  readonly memoryPath?: string;
  readonly agentId?: string;
}

export interface EntryRequest {
  readonly client: Client;
  readonly scope: Scope;
  readonly launch: Launch;
  readonly platform: NodeJS.Platform;
  /** The absolute path. */
  readonly project: string;
  readonly flags: ServerFlags;
}

/** The part of a client's entry that is ours; every other key in it is the user's. */
export type ServerEntry = { readonly [key: string]: string | boolean | readonly string[] };

/** The name under which the server stands in every client. */
export const serverName = "recollect";

export const startCommand = "start-mcp-server";

export function createServerEntry(request: EntryRequest): ServerEntry {
  const { entryShape, entryExtras = {} } = request.client;
  const [command, ...args] = serverLine(request);
  if (entryShape === "list") return { type: "local", command: [command, ...args], ...entryExtras };
  return { ...(entryShape === "command" ? {} : { type: entryShape }), command, args, ...entryExtras };
}

/** The command with all its arguments. */
export function serverLine(request: Omit<EntryRequest, "client"> & { client: Client }): [string, ...string[]] {
  const { client, scope, project, flags } = request;
  // An absolute path in the user's own file would have every project work on the memory of that one, and in a team's
  // file it would be that of one machine.
  const byDefault = scope === "project" ? project : undefined;
  const given = scope === "user" ? client.userProjectArgument : (client.projectArgument ?? byDefault);
  return [...programLine(request, scope, client.needsWindowsShell), ...serverArguments(client.name, given, flags)];
}

/** What the program is told by a client of this name. */
export function serverArguments(context: string, project: string | undefined, flags: ServerFlags): string[] {
  const where = project === undefined ? [] : ["--project", project];
  return [startCommand, ...where, "--context", context, ...argumentsOf(flags)];
}

/** What starts the program itself. */
export function programLine(
  { launch, platform }: Pick<EntryRequest, "launch" | "platform">,
  scope: Scope,
  needsWindowsShell: boolean,
): [string, ...string[]] {
  if (launch.kind === "checkout") return ["node", launch.bin];
  const line = launch.kind === "global" ? ([serverName] as const) : npxLine(launch, scope);
  // On Windows both are .cmd files, which a plain spawn does not find.
  return platform === "win32" && needsWindowsShell ? ["cmd", "/c", ...line] : [...line];
}

/**
 * Clients start it in the project, where npx would run a program of our name that a clone brings in node_modules or
 * package.json, or ask the registry of its .npmrc. With a prefix it looks for all of those at home. A team's file
 * cannot name a folder of one machine, and runs what the team commits anyway.
 */
export function npxLine({ home }: { readonly home?: string }, scope: Scope): [string, ...string[]] {
  return ["npx", ...(home === undefined || scope === "shared" ? [] : ["--prefix", home]), "-y", serverName];
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
