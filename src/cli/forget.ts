import { Command } from "commander";
import type { ForgottenRecord } from "../app.ts";
import { type ExpectationOptions, expectationOf, withIfRev } from "./expectation-options.ts";
import { type Io, print, printable, shellWord } from "./output.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type ForgetOptions = WorkspaceOptions & ExpectationOptions & { readonly all?: boolean };

/** `recollect forget`: takes a note or a lesson out of memory, and says how to get it back. */
export function forgetCommand(io: Io): Command {
  return withIfRev(withWorkspaceOptions(new Command("forget")))
    .alias("rm")
    .description("take a note or a lesson out of memory; history keeps it")
    .argument("<name>", "as search prints it: ci/cache, or “ci/cache › Stale cache” for one lesson or section")
    .option("--all", "every lesson of the name, not one of them")
    .option("--json", "answer with one JSON object")
    .action((name: string, options: ForgetOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const all = options.all === true;
        const forgotten = await workspace.records().forget(name, { ...expectationOf(options), all });
        const back = wayBack(forgotten);
        print(io, options.json === true, toLines(forgotten, back).map(printable).join("\n"), { ...forgotten, back });
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ recollect forget deploy/staging
  $ recollect forget "ci/cache › Stale cache"
  $ recollect rm ci/cache --all`,
    );
}

/** The command that undoes it. */
function wayBack({ kind, goneAs, title, hides, name, folder }: ForgottenRecord): string {
  if (hides !== undefined) return `recollect forget ${shellWord(name)}`;
  if (kind === "lesson" && title !== undefined) return `recollect restore ${shellWord(goneAs)}`;
  return `recollect restore ${shellWord(kind === "note" ? goneAs : `${folder}/${goneAs}.md`)} ~1`;
}

function toLines({ kind, name, folder, uncovered, hides }: ForgottenRecord, back: string): string[] {
  if (hides !== undefined)
    return [`${folder} is read-only, so a note of the same name hides ${name} there.`, `Show it again: ${back}`];
  const now = uncovered === undefined ? "" : ` The one of the same name in ${uncovered} shows now.`;
  return [`Forgot the ${kind} ${name} in ${folder}.${now}`, `Get it back: ${back}`];
}
