import { applyFilePlan, type FilePlan, RecollectError } from "../app.ts";
import type { SetupHost } from "./setup-host.ts";

export interface ConsentOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

type Consent = "yes" | "no" | "only shown" | "nobody to ask";

/** Files are written only after somebody has seen them, or has said beforehand that they need not. */
export async function askConsent(
  options: ConsentOptions,
  host: Pick<SetupHost, "confirm">,
  question: string,
): Promise<Consent> {
  if (options.dryRun) return "only shown";
  if (options.yes) return "yes";
  if (options.json || host.confirm === undefined) return "nobody to ask";
  return (await host.confirm(question)) ? "yes" : "no";
}

/** What the user chose for the notes, or by default; a no is none of them. */
export async function askAboutNotes(
  options: ConsentOptions,
  host: Pick<SetupHost, "confirm" | "choose">,
  byDefault: "private" | "committed",
): Promise<{ readonly consent: Consent; readonly notes: "private" | "committed" }> {
  if (options.dryRun || options.yes || options.json || host.choose === undefined) {
    return { consent: await askConsent(options, host, `Do this? Notes: ${byDefault}.`), notes: byDefault };
  }
  const answer = await host.choose("Do this? [y] yes, notes are private  [c] yes, notes are committed  [N] no:", [
    "y",
    "c",
  ]);
  return { consent: answer === undefined ? "no" : "yes", notes: answer === "c" ? "committed" : "private" };
}

interface Applied {
  readonly done: readonly FilePlan[];
  readonly failed: readonly FilePlan[];
}

export function applyPlans(plans: readonly FilePlan[]): Applied {
  const done: FilePlan[] = [];
  const failed: FilePlan[] = [];
  for (const plan of plans) {
    if (plan.status === "refused") continue;
    const reason = applyFilePlan(plan);
    if (reason === undefined) done.push(plan);
    else failed.push({ ...plan, status: "refused", reason });
  }
  return { done, failed };
}

export function nobodyToAsk(): RecollectError {
  return new RecollectError(
    "INVALID_ARGUMENT",
    "Nothing was written, since there is no terminal to ask on. Add --yes to write, or --dry-run to only look.",
  );
}

/** One refused file does not stop the others, but the command did not do all of its work. */
export function throwIfRefused(plans: readonly FilePlan[]): void {
  const names = plans.filter(({ status }) => status === "refused").map(({ shown }) => shown);
  if (names.length === 0) return;
  throw new RecollectError(
    "NOT_ALLOWED",
    `Left alone: ${names.join(", ")}. See the reason above, then run this again.`,
  );
}
