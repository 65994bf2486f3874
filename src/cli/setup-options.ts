import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type ClientName, clientNames, findProject, RecollectError, type Scope } from "../app.ts";
import type { ConsentOptions } from "./setup-consent.ts";
import type { SetupHost } from "./setup-host.ts";

/** The options that `init` and `uninstall` share. */
export interface ClientOptions extends ConsentOptions {
  /** A folder, or only that the project is meant. */
  readonly project?: string | true;
  readonly shared?: boolean;
  readonly client?: readonly ClientName[];
  readonly verbose?: boolean;
}

export function withClientOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--client <name>", "only this client; may be repeated")
        .choices([...clientNames])
        .argParser(collectClient),
    )
    .addOption(new Option("--user", "for you, in every project: this is the default").hideHelp())
    .option("-y, --yes", "without asking")
    .option("--dry-run", "only show what would be written")
    .option("--verbose", "show every changed line")
    .option("--json", "answer with one JSON object");
}

/** Without it, the user's files would be looked for wherever this runs. */
export function requireHome({ surroundings: { home } }: SetupHost): void {
  if (isAbsolute(home)) return;
  throw new RecollectError("INVALID_ARGUMENT", "There is no home folder. Set HOME to its path and run this again.");
}

export function scopeOf({ project, shared }: ClientOptions): Scope {
  if (shared) return "shared";
  return project === undefined ? "user" : "project";
}

/** The project named by an option, or the one around the working directory; undefined if there is neither. */
export function projectOf({ project }: ClientOptions, { surroundings: { cwd, home } }: SetupHost): string | undefined {
  if (typeof project !== "string") return findProject({ cwd, home })?.folder;
  const folder = resolve(cwd, project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new RecollectError("INVALID_ARGUMENT", "The folder given with --project does not exist.");
}

function collectClient(value: string, previous: readonly ClientName[] = []): ClientName[] {
  const name = clientNames.find((each) => each === value);
  if (name === undefined) throw new InvalidArgumentError(`Known clients: ${clientNames.join(", ")}.`);
  return [...previous, name];
}
