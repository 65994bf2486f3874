import { isAbsolute, join } from "node:path";
import { type FoundEntry, isHarmless } from "./found-entry.ts";
import { isThere } from "./is-there.ts";
import {
  type EntryRequest,
  type Launch,
  passedOn,
  type ServerFlags,
  serverLine,
  startCommand,
} from "./server-entry.ts";

/** How an entry that was found compares with what `init` would write, in words for people. */
export interface Judgement {
  /** What is wrong with it; nothing where it does what ours does. */
  readonly problems: readonly string[];
  /** What is only other than here. */
  readonly notes: readonly string[];
  /** The flags that it passes on: the user's, or those of whoever wrote the file. */
  readonly passes: string;
  readonly entry: FoundEntry;
  /** How it starts us; absent where it starts something else than `init` would write. */
  readonly launch?: Launch;
}

export function judgeEntry(
  found: FoundEntry,
  request: Omit<EntryRequest, "flags"> & { readonly searchPath: readonly string[] },
): Judgement {
  const flags = flagsIn(found.args ?? []);
  const line = lineOf(found);
  const wanted = (launch: Launch) => {
    const [command, ...args] = serverLine({ ...request, launch, flags });
    return lineOf({ command, args });
  };
  const known: readonly Launch[] = [request.launch, { kind: "global" }, { kind: "npx" }];
  const at = known.findIndex((launch) => wanted(launch) === line);
  const init = `init would write: ${wanted(request.launch)}`;
  const missing = found.command !== undefined && !canStart(found.command, request);
  return {
    problems: [
      ...(missing ? [`its command ${found.command} does not exist here`] : []),
      ...(at === -1 ? [`it starts: ${line}; ${init}`] : []),
      // In their own file, people set what they like.
      ...found.others
        .filter(([key]) => request.scope !== "user" && !isHarmless(key))
        .map(([key, source]) => `it sets ${key}: ${shortened(source)}`),
    ],
    notes: at > 0 && !missing ? [`it starts: ${line}; ${init}`] : [],
    passes: passedOn.flatMap(([flag, key]) => (flags[key] === undefined ? [] : [`${flag} ${flags[key]}`])).join(" "),
    entry: found,
    ...(known[at] === undefined ? {} : { launch: known[at] }),
  };
}

function lineOf({ command = "nothing", args }: Pick<FoundEntry, "command" | "args">): string {
  return [command, ...(args ?? [])]
    .map((word) => (/^[\w./:@\\${}-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
}

function flagsIn(args: readonly string[]): ServerFlags {
  const ours = args.slice(args.indexOf(startCommand) + 1);
  const pairs = passedOn.flatMap(([flag, key]) => {
    const at = ours.indexOf(flag);
    const value = at === -1 ? undefined : ours[at + 1];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(pairs);
}

function canStart(
  command: string,
  { searchPath, platform, project }: Pick<EntryRequest, "platform" | "project"> & { searchPath: readonly string[] },
): boolean {
  const endings = platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const exists = (path: string) => endings.some((ending) => isThere(path + ending));
  if (isAbsolute(command)) return exists(command);
  if (/[\\/]/.test(command)) return exists(join(project, command));
  return searchPath.some((folder) => folder !== "" && exists(join(folder, command)));
}

function shortened(source: string): string {
  const line = source.replace(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
