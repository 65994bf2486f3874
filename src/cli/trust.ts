import { Command } from "commander";
import {
  findProject,
  openTrust,
  projectSettingsFile,
  RecollectError,
  resolveSettings,
  type Untrusted,
  userDataFolder,
} from "../index.ts";
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

/** `recollect trust`: lets the settings file of a project reach outside of it, as long as it stays as it is (CFG-2). */
export function trustCommand(io: Io, host?: SetupHost): Command {
  return new Command("trust")
    .description("allow what this project's recollect.yaml asks for outside of the project, after showing it")
    .option("--project <folder>", "the project (default: the nearest one here or above)")
    .option("-y, --yes", "without asking")
    .option("--revoke", "take it back")
    .option("--list", "show which files you trust")
    .option("--json", "answer with one JSON object")
    .action((options: TrustOptions) => run(io, host ?? processHost(io), options))
    .addHelpText(
      "after",
      `
A recollect.yaml comes with a clone, from whoever wrote it. What it says about folders outside of the project has
no effect until you allow it; a changed file has to be allowed again.

Examples:
  $ recollect trust
  $ recollect trust --yes --project ~/shop
  $ recollect trust --revoke`,
    );
}

async function run(io: Io, host: SetupHost, options: TrustOptions): Promise<void> {
  const place = io.place ?? { cwd: process.cwd(), env: process.env, home: host.surroundings.home };
  const json = options.json === true;
  const trust = openTrust({ folder: userDataFolder(place) });
  if (options.list) {
    const files = trust.list();
    const lines = files.map(({ file, trustedAt }) => printable(`${dayOf(trustedAt)}  ${file}`));
    print(io, json, lines.join("\n") || "You trust no file yet.", { files });
    return;
  }
  const project = findProject({ ...place, ...(options.project === undefined ? {} : { given: options.project }) });
  if (!project) throw new RecollectError("NOT_FOUND", "There is no project here. Give one with --project.");
  const settings = await resolveSettings({ ...place, project: project.folder, trust });
  const file = settings.projectFile;
  if (!file) throw new RecollectError("NOT_FOUND", `This project has no ${projectSettingsFile}: nothing to trust.`);
  if (options.revoke) {
    const revoked = trust.revoke(file.file);
    print(io, json, revoked ? "Taken back." : "It was not trusted.", { file: file.file, revoked });
    return;
  }
  const asked = settings.untrusted.filter(({ trustable }) => trustable);
  if (asked.length === 0) {
    const says = trust.isTrusted(file.file, file.content) ? "It is trusted already." : "It asks for nothing outside.";
    const never = settings.untrusted.map(
      ({ key }) => `${key} stays without effect: it is yours to set, not the project's.`,
    );
    print(io, json, [says, ...never].join("\n"), {
      file: file.file,
      asked: [],
      trusted: trust.isTrusted(file.file, file.content),
    });
    return;
  }
  if (!json) io.out(`${[`${file.file} asks for:`, ...asked.map(toLine)].map(printable).join("\n")}\n`);
  if (!options.yes && !(await host.confirm?.("Allow this, as long as the file stays as it is?"))) {
    if (!host.confirm) throw new RecollectError("INVALID_ARGUMENT", "Nobody to ask. Look at it, then add --yes.");
    io.out("Nothing was changed.\n");
    return;
  }
  trust.trust(file.file, file.content);
  print(io, json, "Trusted. Restart your MCP clients for it to take effect.", {
    file: file.file,
    asked,
    trusted: true,
  });
}

function toLine({ key, value, why, line }: Untrusted): string {
  return `  line ${line}  ${key}: ${JSON.stringify(value)}  (${why})`;
}
