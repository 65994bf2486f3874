import { Command } from "commander";
import {
  allowRecall,
  allowsRecall,
  counted,
  findProject,
  isRecollectError,
  listRecall,
  openTrust,
  type Project,
  RecollectError,
  type ResolvedSettings,
  resolveSettings,
  revokeRecall,
  type Trust,
  type Untrusted,
  type UserPlace,
  userDataFolder,
} from "../app.ts";
import { dayOf } from "./local-time.ts";
import { type Io, print, printable } from "./output.ts";
import { processHost, type SetupHost } from "./setup-host.ts";

interface TrustOptions {
  readonly project?: string;
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

/**
 * `recollect trust`: lets hooks recall the notes that came with a project (USE-16), and its settings file reach outside
 * of it, as long as that stays as it is (CFG-2).
 */
export function trustCommand(io: Io, host?: SetupHost): Command {
  return new Command("trust")
    .description("let hooks recall this project's notes, and its recollect.yaml reach outside of it")
    .option("--project <folder>", "the project (default: the nearest one here or above)")
    .option("-y, --yes", "without asking")
    .option("--revoke", "take it back")
    .option("--list", "show what you trust")
    .option("--json", "answer with one JSON object")
    .action((options: TrustOptions) => run(io, host ?? processHost(io), options))
    .addHelpText(
      "after",
      `
Notes and a recollect.yaml come with a clone, from its author. Until you trust the project, hooks recall only what
was written on this machine, and settings that reach outside of the project have no effect. Your word for notes
holds for the repository and its worktrees; a changed recollect.yaml has to be allowed again.

Examples:
  $ recollect trust
  $ recollect trust --yes --project ~/shop
  $ recollect trust --revoke`,
    );
}

interface Asked {
  readonly user: UserPlace;
  readonly project: Project;
  readonly settings: ResolvedSettings;
  readonly trust: Trust;
}

async function run(io: Io, host: SetupHost, options: TrustOptions): Promise<void> {
  const place = io.place ?? { cwd: process.cwd(), env: process.env, home: host.surroundings.home };
  const user = { ...place, platform: host.surroundings.platform };
  const json = options.json === true;
  const trust = openTrust({ folder: userDataFolder(place) });
  if (options.list) return printTrusted(io, json, trust, user);
  const project = findProject({ ...place, ...(options.project === undefined ? {} : { given: options.project }) });
  if (!project) throw new RecollectError("NOT_FOUND", "There is no project here. Give one with --project.");
  const settings = await resolveSettings({ ...place, project: project.folder, trust });
  const asked = { user, project, settings, trust };
  return options.revoke ? revoke(io, json, asked) : allow(io, host, options, asked);
}

function printTrusted(io: Io, json: boolean, trust: Trust, user: UserPlace): void {
  const [files, repositories] = [trust.list(), listRecall(user)];
  const lines = [
    ...files.map(({ file, trustedAt }) => `${dayOf(trustedAt)}  ${file}`),
    ...repositories.map((repository) => `notes of    ${repository}`),
  ];
  print(io, json, lines.map(printable).join("\n") || "You trust no project yet.", { files, repositories });
}

function revoke(io: Io, json: boolean, { user, project, settings, trust }: Asked): void {
  const file = settings.projectFile?.file;
  const revoked = file !== undefined && trust.revoke(file);
  const recallRevoked = revokeRecall(project.folder, user);
  const says = [
    ...(revoked ? ["The settings file is not trusted any more."] : []),
    ...(recallRevoked ? ["Hooks recall only what was written on this machine."] : []),
  ];
  print(io, json, says.join("\n") || "This project was not trusted.", { file, revoked, recallRevoked });
}

async function allow(io: Io, host: SetupHost, options: TrustOptions, about: Asked): Promise<void> {
  const { user, project, settings, trust } = about;
  const json = options.json === true;
  const file = settings.projectFile;
  const asked = settings.untrusted.filter(({ trustable }) => trustable);
  const never = settings.untrusted.filter((one) => !asked.includes(one));
  const neverWords = never.map(({ key }) => `${key} stays without effect: it is yours to set, not the project's.`);
  const isNew = !allowsRecall(project.folder, user);
  const result = { file: file?.file, asked, project: project.folder };
  if (!isNew && asked.length === 0) {
    const isTrusted = file !== undefined && trust.isTrusted(file.file, file.content);
    print(io, json, ["This project is trusted already.", ...neverWords].map(printable).join("\n"), {
      ...result,
      recall: true,
      trusted: isTrusted,
    });
    return;
  }
  const notes = isNew ? await countForeignNotes(project.folder, user) : undefined;
  const screen = [
    ...(isNew ? [recallWords(notes)] : []),
    ...(file && asked.length > 0 ? [`${file.file} asks for:`, ...asked.map(toLine)] : []),
    ...neverWords,
  ];
  if (!json) io.out(`${screen.map(printable).join("\n")}\n`);
  const question =
    asked.length > 0 ? "Allow this, for the settings as long as the file stays as it is?" : "Allow this?";
  if (!options.yes && !(await host.confirm?.(question))) {
    if (!host.confirm) {
      throw new RecollectError("INVALID_ARGUMENT", "There is no terminal to ask on. Review this, then add --yes.");
    }
    io.out("Nothing was changed.\n");
    return;
  }
  if (isNew) allowRecall(project.folder, user);
  if (file && asked.length > 0) trust.trust(file.file, file.content);
  const done = [
    ...(isNew ? ["Trusted. Hooks recall the notes of this project from now on."] : []),
    ...(asked.length > 0 ? ["Trusted. Restart your MCP clients for the settings to take effect."] : []),
  ];
  print(io, json, done.join("\n"), { ...result, recall: true, trusted: asked.length > 0, ...given(notes) });
}

function recallWords(notes: number | undefined): string {
  if (notes === undefined || notes === 0)
    return "Hooks will recall all notes of this project, also those that a pull brings.";
  return `Hooks will recall all notes of this project, also ${counted(notes, "note")} not written on this machine, and what a pull brings.`;
}

function given(notes: number | undefined): { readonly notes?: number } {
  return notes === undefined ? {} : { notes };
}

/** Undefined where the memory cannot be read: that is for doctor to tell, and no reason not to ask. */
async function countForeignNotes(folder: string, user: UserPlace): Promise<number | undefined> {
  const { withHookMemory } = await import("../hooks/hook-memory.ts");
  try {
    return await withHookMemory(folder, user, (memory) => memory.countForeign());
  } catch (error) {
    if (isRecollectError(error)) return undefined;
    throw error;
  }
}

function toLine({ key, value, why, line }: Untrusted): string {
  return `  line ${line}  ${key}: ${JSON.stringify(value)}  (${why})`;
}
