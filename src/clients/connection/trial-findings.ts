import type { Client } from "../clients.ts";
import type { FoundServer } from "./find-entry.ts";
import type { FoundHook } from "./find-hook.ts";
import type { EntryTrial, tryFoundHook } from "./try-entry.ts";

/** What doctor says of one client. */
export interface ClientFinding {
  readonly level: "fine" | "note" | "problem";
  readonly about: string;
  readonly says: string;
  readonly remedy?: string;
}

/** A server that is elsewhere is for its own doctor: `recollect serve` runs there. */
export function remoteFinding({ title }: Client, { shown, judgement }: FoundServer): ClientFinding | undefined {
  const source = judgement.entry.others.find(([key]) => /url$/i.test(key))?.[1];
  if (source === undefined) return undefined;
  // What stands behind the host may be a token.
  const host = /^["']?(\w+:\/\/[^/?#"'@\s]+)(?=[/?#"']|$)/.exec(source)?.[1] ?? "an address of its own";
  return { level: "note", about: title, says: `${shown}: uses a server at ${host}, which is not tried from here` };
}

/** What became of the server that a client's file names. */
export function entryFindings(
  { name, title }: Client,
  { scope, shown, judgement }: FoundServer,
  trial: EntryTrial,
): ClientFinding[] {
  const { problems, notes, passes } = judgement;
  const isMissing = problems.some((says) => says.includes("does not exist"));
  const failed = trial.kind === "failed" && !isMissing ? [trial.says] : [];
  const said = [
    ...[...problems, ...failed].map((says) => ({ level: "problem" as const, says })),
    ...notes.map((says) => ({ level: "note" as const, says })),
    // What is wrong with it says why.
    ...(trial.kind === "not started" && problems.length === 0 ? [{ level: "note" as const, says: trial.says }] : []),
  ];
  const remedy = remedyFor(name, scope, failed[0]);
  const flags = passes === "" ? "" : `, ${scope === "user" ? "with" : "tried without its"} ${passes}`;
  return [
    ...(trial.kind === "connected"
      ? [fine(title, `connected, ${trial.tools} tools in ${seconds(trial.ms)} (${shown}${flags})`)]
      : []),
    ...said.map(({ level, says }, index) => ({
      level,
      about: title,
      says: `${shown}: ${says}`,
      // One command mends them all.
      ...(index === said.length - 1 ? { remedy } : {}),
    })),
  ];
}

/** What became of the hook that a client's file names. */
export function hookFindings(
  { name, title }: Client,
  { scope, shown }: FoundHook,
  trial: Awaited<ReturnType<typeof tryFoundHook>>,
): ClientFinding[] {
  if (trial.kind === "answers") return [fine(title, `hooks answer in ${seconds(trial.ms)} (${shown})`)];
  const level = trial.kind === "failed" ? "problem" : "note";
  const says = trial.kind === "failed" ? `the hooks do not answer: ${trial.says}` : `the hooks are ${trial.says}`;
  const remedy = remedyFor(name, scope, trial.says);
  return [{ level, about: title, says: `${shown}: ${says}`, remedy }];
}

function remedyFor(name: string, scope: FoundServer["scope"], says = ""): string {
  // The program says so of itself; another entry would start it on the same Node.
  if (says.includes("needs Node"))
    return "Make a newer Node the one that is found first: nvm alias default 24, or https://nodejs.org";
  const command = `recollect init --client ${name}${scope === "user" ? "" : ` --${scope}`}`;
  return `${command} (shows the change first); leave it if you wrote it so yourself`;
}

function fine(about: string, says: string): ClientFinding {
  return { level: "fine", about, says };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
