import { existsSync, rmSync } from "node:fs";
import { Command } from "commander";
import {
  clients,
  counted,
  type FilePlan,
  findLaunch,
  memoriesFolder,
  openProjectChoices,
  type ProjectChoices,
  planRemoval,
  RecollectError,
  readSkills,
  removeSessionState,
  revokeRecallOf,
  type Scope,
  type UserPlace,
  userDataFolder,
} from "../app.ts";
import { type Io, print, printable, shellWord } from "./output.ts";
import { applyPlans, askConsent, nobodyToAsk, throwIfRefused } from "./setup-consent.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { type ClientOptions, projectOf, requireHome, withClientOptions } from "./setup-options.ts";
import { createPaint, diffLines, planData, planLines, say, tildePath } from "./setup-screen.ts";

/** `recollect uninstall`: gives every file back as it was before `init`. Memories stay. */
export function uninstallCommand(io: Io, host?: SetupHost): Command {
  return withClientOptions(new Command("uninstall"))
    .description("give back every file as it was before init; notes and lessons stay")
    .option("--project [folder]", "only what was written for one project (default: the nearest one here or above)")
    .action((options: ClientOptions) => runUninstall(io, host ?? processHost(io), options))
    .addHelpText(
      "after",
      `
Examples:
  $ recollect uninstall                      show what would be taken back, then ask
  $ recollect uninstall --client cursor -y   only from Cursor, without asking`,
    );
}

async function runUninstall(io: Io, host: SetupHost, options: ClientOptions): Promise<void> {
  const { home } = host.surroundings;
  requireHome(host);
  const user = userOf(host);
  const project = projectOf(options, host);
  const all = planAll(host, options, project);
  const plans = all.filter(({ status }) => status !== "unchanged");
  const pending = plans.filter(({ status }) => status !== "refused");
  const chosen = options.client === undefined ? chosenFor(options, project, user) : [];
  const paint = createPaint(host.colour);
  const isIdle = pending.length === 0 && chosen.length === 0;
  if (plans.length + chosen.length > 0 && !options.json) {
    say(io, [
      paint.bold("Taking Recollect out"),
      ...planLines(plans, paint),
      ...diffLines(options.verbose ? plans : [], paint),
      "",
      ...chosen.flatMap((each) => choiceLines(each, home)),
    ]);
  }
  const consent = isIdle ? "only shown" : await askConsent(options, host, "Take this back?");
  const { done, failed } = consent === "yes" ? applyPlans(all) : { done: [], failed: [] };
  if (consent === "yes") takeBack(chosen, user);
  const isMeant = consent === "yes" || (isIdle && !options.dryRun);
  const removed = isMeant ? removeOwn(host, options) : [];
  const result = plans.map((plan) => failed.find(({ path }) => path === plan.path) ?? plan);
  if (options.json) {
    const files = result.map((plan) => ({ ...planData(plan), written: done.includes(plan) }));
    print(io, true, "", { project, files, written: consent === "yes", memories: memoriesFolder });
  }
  if (consent === "nobody to ask") throw nobodyToAsk();
  const changed = pending.filter((plan) => done.includes(plan)).length;
  const outcome = [outcomeWords(plans.length, changed), ...removed, ...whatStays(user)];
  if (!options.json) say(io, [...planLines(failed, paint), ...outcome]);
  throwIfRefused(result);
}

/** What Recollect keeps for itself, and nobody needs then. Says what it was. */
function removeOwn({ surroundings, codeCache }: SetupHost, options: ClientOptions): string[] {
  const isCleared = removeCode(codeCache);
  const isForgotten = isWhole(options) && removeSessionState(surroundings);
  return [
    ...(isCleared ? [`Removed ${printable(tildePath(codeCache ?? "", surroundings.home))}, a cache.`] : []),
    ...(isForgotten ? ["Removed what hooks kept of sessions."] : []),
  ];
}

function planAll(host: SetupHost, options: ClientOptions, project: string | undefined): FilePlan[] {
  const { surroundings } = host;
  const isProject = options.project !== undefined;
  if (isProject && project === undefined) {
    throw new RecollectError("NOT_FOUND", "There is no project here. Name its folder: --project FOLDER");
  }
  const inProject: readonly Scope[] = ["project", "shared"];
  const forUser: readonly Scope[] = isProject ? [] : ["user"];
  return planRemoval({
    ...surroundings,
    clients: clients.filter(({ name }) => options.client === undefined || options.client.includes(name)),
    scopes: [...forUser, ...inProject],
    looksIn: [...forUser, ...(project === undefined ? [] : inProject)],
    project: project ?? surroundings.home,
    launch: findLaunch(surroundings),
    flags: {},
    leavesProject: options.client !== undefined,
    skills: readSkills(surroundings.packageFolder),
  }).filter(({ record }) => !isProject || record === undefined || record.project === project);
}

/** For every client and every project: nobody is left who would look at what is kept of sessions. */
function isWhole({ client, project }: ClientOptions): boolean {
  return client === undefined && project === undefined;
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

/** What the user chose for projects, in `init`. */
function chosenFor({ project: asked }: ClientOptions, project: string | undefined, user: UserPlace): ProjectChoices[] {
  const choices = openProjectChoices(user);
  if (asked === undefined) return choices.list();
  const found = project === undefined ? undefined : choices.read(project);
  return found === undefined ? [] : [found];
}

function choiceLines({ project, allowedRecall, folders }: ProjectChoices, home: string): string[] {
  const here = printable(tildePath(project, home));
  return [
    ...(allowedRecall ? [`${here}: hooks recall only what was written on this machine.`] : []),
    ...folders.map((folder) => `${here}: ${printable(tildePath(folder, home))} is not searched along any more.`),
  ];
}

function takeBack(chosen: readonly ProjectChoices[], user: UserPlace): void {
  for (const each of chosen) {
    if (each.allowedRecall) revokeRecallOf(each.repository, user);
    openProjectChoices(user).remove(each);
  }
}

function userOf({ surroundings: { home, platform, env = {} } }: SetupHost): UserPlace {
  return { home, platform, env };
}

function outcomeWords(found: number, changed: number): string {
  if (found === 0) return "No client is set up for recollect; nothing to take out.";
  if (changed === 0) return "Nothing was changed.";
  return `Changed ${counted(changed, "file")}.`;
}

/** What is the user's own, and how it goes if they want that. */
function whatStays(user: UserPlace): string[] {
  const data = userDataFolder(user);
  return [
    `Your notes stay: ${memoriesFolder}/ and memory/ in each project, your own in ~/.serena/memories/.`,
    `So do history, tokens and what you trusted, in ${printable(tildePath(data, user.home))}. To remove that for good: rm -r ${shellWord(data)}`,
  ];
}
