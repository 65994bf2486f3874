import type { UserPlace } from "../app.ts";
import { frameRecords, headOf } from "../hooks/frame.ts";
import { type HookMemory, withHookMemory } from "../hooks/hook-memory.ts";
import { findKnownError } from "../hooks/known-error.ts";
import { tellingLines } from "../hooks/normalise-error.ts";
import { fittingRecords } from "../hooks/on-prompt.ts";
import { readSwitches } from "../hooks/switches.ts";
import { budgets } from "../hooks/token-budget.ts";
import { type Io, print, printable } from "./output.ts";

interface ExplainRequest {
  readonly prompt: string;
  readonly json: boolean;
  readonly user: UserPlace;
  readonly cwd: string;
}

/** What came near, beside what would be given. */
const mostShown = 8;
const errorLines = 4;

/** `recollect hook --explain`: what a new session would get with a prompt, what came near, and why. */
export async function explainPrompt(io: Io, { prompt, json, user, cwd }: ExplainRequest): Promise<void> {
  const switches = await readSwitches(cwd, user);
  const isOff = !(switches.enabled && switches.prompt);
  await withHookMemory(cwd, user, async (memory) => {
    const { given, near } = await judged(memory, prompt);
    const known = await findKnownError(memory, tellingLines(prompt, errorLines));
    const error = known && headOf(known, Date.now());
    const text = [
      ...(isOff ? ["Hooks are switched off for prompts (hooks.enabled, hooks.prompt). Without that:"] : []),
      ...section(given.length === 0 ? "This prompt would get nothing." : "This prompt would get:", given),
      ...section("Came near:", near),
      ...(error === undefined ? [] : ["As the output of a failed command it would get:", `  ${error}`]),
      ...(memory.isTrusted
        ? []
        : [
            "Only what was written on this machine is recalled here. To recall all notes of this project: recollect trust",
          ]),
    ];
    const { isTrusted } = memory;
    print(io, json, text.map(printable).join("\n"), { isTrusted, isOff, given, near, knownError: known?.name });
  });
}

interface Explained {
  readonly record: string;
  readonly why: string;
}

async function judged(memory: HookMemory, prompt: string): Promise<{ given: Explained[]; near: Explained[] }> {
  const hits = await memory.judge(prompt, {});
  const records = await fittingRecords(hits, memory);
  const framed = frameRecords({
    occasion: "prompt",
    records,
    fullCount: 1,
    maxTokens: budgets.prompt,
    now: Date.now(),
  });
  const shown = new Set(framed?.shown.map(({ id }) => id));
  const [given, near]: [Explained[], Explained[]] = [[], []];
  for (const { hit, fits, why } of hits) {
    const record = await memory.record(hit);
    const named = record ? headOf(record, Date.now()) : `${hit.path} › ${hit.title}`;
    if (record && fits && shown.delete(record.id)) given.push({ record: named, why });
    else if (near.length < mostShown)
      near.push({ record: named, why: `${why}${fits ? `, ${reason(record !== undefined)}` : ""}` });
  }
  return { given, near };
}

/** Why something that fits would not be given. */
function reason(isAllowed: boolean): string {
  return isAllowed ? "after three others, or too long" : "not written on this machine";
}

function section(title: string, found: readonly Explained[]): string[] {
  if (found.length === 0) return title.endsWith(".") ? [title] : [];
  return [title, ...found.flatMap(({ record, why }) => [`  ${record}`, `      ${why}`])];
}
