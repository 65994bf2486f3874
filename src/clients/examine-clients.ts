import { isAbsolute } from "node:path";
import { approvalsOf } from "./approval/approvals-of.ts";
import { type Client, clients, type Scope } from "./clients.ts";
import { type FindRequest, type FoundServer, findEntry } from "./connection/find-entry.ts";
import { findHook } from "./connection/find-hook.ts";
import { isWithin } from "./connection/may-start.ts";
import { type ClientFinding, entryFindings, hookFindings, remoteFinding } from "./connection/trial-findings.ts";
import { type TrialPlace, tryEntry, tryFoundHook } from "./connection/try-entry.ts";
import { detectClients } from "./detect-clients.ts";
import type { FilePlan } from "./file-plan.ts";
import { findLaunch } from "./launch.ts";
import { planSetup } from "./plan.ts";
import { readSkills } from "./read-skills.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Examined {
  readonly findings: readonly ClientFinding[];
  /** Whether a client runs hooks of ours: only then it matters what they may recall. */
  readonly hasHooks: boolean;
}

/**
 * Whether each client knows of Recollect, can start it, and was allowed to (USE-9): nobody remembers anything
 * otherwise. Nothing is written, and of what a project's files name, nothing is started but our own program.
 */
export async function examineClients(project: string | undefined, surroundings: Surroundings): Promise<Examined> {
  const { home, cwd, env = {} } = surroundings;
  // Without a home folder, the user's files would be looked for wherever this runs.
  if (!isAbsolute(home)) return { findings: [noHome], hasHooks: false };
  const skills = readSkills(surroundings.packageFolder);
  const request = {
    ...surroundings,
    env,
    skills,
    launch: findLaunch(surroundings),
    flags: {},
    project: project ?? home,
  };
  // A home folder that is a project holds the user's own programs.
  const clone = project === undefined || isWithin(project, home) ? undefined : project;
  const place = { env, folder: project ?? cwd, clone, patience: createPatience() };
  const scopes: readonly Scope[] = project === undefined ? ["user"] : ["user", "project", "shared"];
  const examined: Awaited<ReturnType<typeof examineClient>>[] = [];
  // One after the other, so that the times are those that a client sees.
  for (const client of clients) examined.push(await examineClient(client, scopes, request, place));
  const findings = examined.flatMap((each) => each.findings);
  const known = clients.filter((_, index) => examined[index]?.isSetUp);
  const others = detectClients(project ?? home, surroundings).filter((client) => !known.includes(client));
  const isMissed = known.length === 0 && project !== undefined;
  return {
    findings: [...findings, ...notSetUp(others, isMissed)],
    hasHooks: examined.some((each) => each.hasHooks),
  };
}

/** Clients wait up to a minute for a server; who asks doctor has half of one for all of them. */
function createPatience(): () => number {
  const end = performance.now() + 30_000;
  return () => Math.round(Math.max(1000, Math.min(10_000, end - performance.now())));
}

const noHome: ClientFinding = {
  level: "note",
  about: "clients",
  says: "were not looked at, since there is no home folder",
  remedy: "Set HOME.",
};

/** Those that are only documented are set up where their user names them, so they are not missed beside others. */
function notSetUp(others: readonly Client[], isMissed: boolean): ClientFinding[] {
  const tried = others.filter(({ isVerified }) => isVerified !== false);
  const named = tried.length > 0 || !isMissed ? tried : others;
  if (named.length === 0 && !isMissed) return [];
  const titles = named.map(({ title }) => title).join(", ");
  const says = named.length > 0 ? `found, but not set up: ${titles}` : "none set up here";
  const flags = tried.length > 0 ? [] : named.map(({ name }) => ` --client ${name}`);
  return [{ level: "note", about: "clients", says, remedy: `recollect init${flags.join("")}` }];
}

async function examineClient(
  client: Client,
  scopes: readonly Scope[],
  request: FindRequest,
  place: TrialPlace,
): Promise<{ readonly findings: readonly ClientFinding[]; readonly isSetUp: boolean; readonly hasHooks: boolean }> {
  const servers = onceEach(scopes.flatMap((scope) => findEntry(client, scope, request) ?? []));
  const hooks = onceEach(scopes.flatMap((scope) => findHook(client, scope, request) ?? []));
  const findings: ClientFinding[] = [];
  for (const server of servers) {
    const remote = remoteFinding(client, server);
    if (remote) findings.push(remote);
    else findings.push(...entryFindings(client, server, await tryEntry(client, server, request, place)));
  }
  for (const hook of hooks) {
    findings.push(...hookFindings(client, hook, await tryFoundHook(client, hook, request, place)));
  }
  const isSetUp = servers.length > 0 || hooks.length > 0;
  const told = { home: request.home, env: place.env, folder: place.folder };
  const approvals = isSetUp ? approvalsOf(client.name, { ...told, server: whose(servers), hooks: whose(hooks) }) : [];
  return {
    findings: [
      ...findings,
      ...scopes.flatMap((scope) => planFindings(client, scope, request, servers)),
      ...(isSetUp && client.isVerified === false ? [documented(client)] : []),
      ...approvals.map((approval) => ({ about: client.title, ...approval })),
    ],
    isSetUp,
    hasHooks: hooks.length > 0,
  };
}

function documented({ title: about }: Client): ClientFinding {
  const says = "its files are only documented, not tried by us; whether it uses the server, only it can say";
  return { level: "note", about, says, remedy: "See in its settings that “recollect” is on." };
}

/** A project's file and that of its team can be the same. */
function onceEach<Found extends { readonly shown: string }>(found: readonly Found[]): Found[] {
  return found.filter(({ shown }, index) => found.findIndex((each) => each.shown === shown) === index);
}

function whose(found: readonly { readonly scope: Scope }[]): "user" | "project" | undefined {
  if (found.length === 0) return undefined;
  return found.some(({ scope }) => scope === "user") ? "user" : "project";
}

/** Files that name us and cannot be read, and what `init` would add for a user whom it set this client up for. */
function planFindings(
  client: Client,
  scope: Scope,
  request: FindRequest,
  servers: readonly FoundServer[],
): ClientFinding[] {
  const plans = planSetup({ ...request, clients: [client], scope });
  const isUsers = scope === "user";
  // A broken file at home that never heard of us is none of our business.
  const isOurs = ({ before = "" }: FilePlan) => !isUsers || before.includes("recollect");
  const remote = servers.filter((server) => remoteFinding(client, server)).map(({ shown }) => shown);
  const refused = plans.filter((plan) => plan.status === "refused" && isOurs(plan) && !remote.includes(plan.shown));
  const isSetUp = isUsers && servers.some((server) => server.scope === "user");
  const lacking = plans.filter(({ status, found }) => {
    const isJudged = found !== undefined && found.problems.length + found.notes.length > 0;
    return status === "new" || (status === "changed" && !isJudged);
  });
  return [
    ...refused.map(({ shown, reason = "it cannot be read" }): ClientFinding => {
      return { level: "problem", about: client.title, says: `${shown}: ${reason}` };
    }),
    ...(isSetUp && lacking.length > 0 ? [lackingFinding(client, lacking)] : []),
  ];
}

function lackingFinding({ name, title }: Client, plans: readonly FilePlan[]): ClientFinding {
  const files = plans.map(({ shown }) => shown).join(", ");
  const remedy = `recollect init --client ${name} (shows it first)`;
  return { level: "note", about: title, says: `something is missing or out of date in ${files}`, remedy };
}
