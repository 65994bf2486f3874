import { existsSync, rmSync } from "node:fs";
import { Command } from "commander";
import { clients, counted, memoriesFolder, planRemoval } from "../index.ts";
import { type ClientOptions, checkUserFiles, projectOf, withClientOptions } from "./init.ts";
import { type Io, print, printable } from "./output.ts";
import { applyPlans, askConsent, nobodyToAsk, throwIfRefused } from "./setup-consent.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { createPaint, diffLines, fileLines, planData, say, tildePath } from "./setup-screen.ts";

/** `recollect uninstall`: takes out of the clients' files what `init` put in. Memories stay. */
export function uninstallCommand(io: Io, host?: SetupHost): Command {
  return withClientOptions(new Command("uninstall"))
    .description("take the server out of the MCP clients of this project; memories stay")
    .action((options: ClientOptions) => runUninstall(io, host ?? processHost(io), options))
    .addHelpText(
      "after",
      `
Examples:
  $ recollect uninstall                      show what would be taken out, then ask
  $ recollect uninstall --client cursor -y   only from Cursor, without asking`,
    );
}

async function runUninstall(io: Io, host: SetupHost, options: ClientOptions): Promise<void> {
  const { home } = host.surroundings;
  const project = projectOf(options, host);
  const { client: named, user } = options;
  const chosen = clients.filter(({ name }) => named === undefined || named.includes(name));
  checkUserFiles(named ? chosen : [], options);
  const plans = planRemoval({ clients: chosen, scope: user ? "user" : "project", project, home });
  const pending = plans.filter(({ status }) => status === "changed" || status === "deleted");
  const paint = createPaint(host.colour);
  if (plans.length > 0 && !options.json) {
    const head = `${paint.bold("Recollect")} out of ${printable(tildePath(project, home))}`;
    say(io, [head, "", ...fileLines(plans, paint), ...diffLines(plans, paint), ""]);
  }
  const idle = pending.length === 0;
  const consent = idle ? "only shown" : await askConsent(options, host, "Change these files?");
  const { done, failed } = consent === "yes" ? applyPlans(pending) : { done: [], failed: [] };
  const isCleared = (consent === "yes" || (idle && !options.dryRun)) && removeCode(host.codeCache);
  const result = plans.map((plan) => failed.find(({ file }) => file === plan.file) ?? plan);
  if (options.json) {
    const files = result.map((plan) => ({ ...planData(plan), written: done.includes(plan) }));
    print(io, true, "", { project, files, written: consent === "yes", memories: memoriesFolder });
  }
  if (consent === "nobody to ask") throw nobodyToAsk();
  const cleared = isCleared ? [`Removed ${printable(tildePath(host.codeCache ?? "", home))}, a cache.`] : [];
  const outcome = [outcomeWords(plans.length, done.length), ...cleared, memoriesWords];
  if (!options.json) say(io, [...fileLines(failed, paint), ...outcome]);
  throwIfRefused(result);
}

/** Compiled code, which is made again where Recollect is started again. */
function removeCode(folder: string | undefined): boolean {
  if (folder === undefined || !existsSync(folder)) return false;
  try {
    rmSync(folder, { recursive: true });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

const memoriesWords = `Memories stay where they are: ${memoriesFolder}/ in the project, your own in ~/.serena/memories/.`;

function outcomeWords(found: number, changed: number): string {
  if (found === 0) return "No client of this project is set up for recollect; nothing to take out.";
  if (changed === 0) return "Nothing was changed.";
  return `Changed ${counted(changed, "file")}.`;
}
