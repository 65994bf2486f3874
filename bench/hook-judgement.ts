// When hooks speak and when they ask: whether the right record is put before a model, and silence kept otherwise.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { playAll, readSessions } from "./hook-judgement/capture.ts";
import { type PromptSet, readPromptSet } from "./hook-judgement/prompt-set.ts";
import { measureRelevance, type Relevance } from "./hook-judgement/relevance.ts";
import type { Row } from "./measurement.ts";
import { finish } from "./report.ts";
import { printTable } from "./table.ts";
import { withWorkFolder } from "./work-folder.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    /** Another set of prompts, of sessions, or of notes that answer nothing. */
    prompts: { type: "string" },
    sessions: { type: "string" },
    fillers: { type: "string" },
    /** Also prints what was judged otherwise than its author did. */
    verbose: { type: "boolean", default: false },
  },
});
const data = join(import.meta.dirname, "hook-judgement/data");
const sizes = [500, 2000];

const rows = [...(await relevance()), ...(await capture())];
printTable(rows);
finish("hook-judgement", rows, values);

async function relevance(): Promise<Row[]> {
  const files = values.prompts
    ? [values.prompts]
    : ["shop", "hospital"].map((name) => join(data, `${name}-prompts.json`));
  const fillers: PromptSet["notes"] = values.fillers ? JSON.parse(readFileSync(values.fillers, "utf8")) : [];
  const found: Row[] = [];
  for (const file of files) {
    const set = readPromptSet(file);
    for (const size of [set.notes.length, ...sizes.filter((one) => one <= set.notes.length + fillers.length)]) {
      const measured = await withWorkFolder((folder) =>
        measureRelevance(folder, set, fillers.slice(0, size - set.notes.length)),
      );
      found.push(...toRows(`${basename(file, "-prompts.json")}, ${size} notes`, measured));
      if (values.verbose) tellRelevance(measured);
    }
  }
  return found;
}

function toRows(name: string, { figures }: Relevance): Row[] {
  const row = (what: string, share: number, limit: number, atLeast = false): Row => ({
    measurement: `${name}: ${what}`,
    unit: "%",
    ours: 100 * share,
    limit,
    atLeast,
  });
  return [
    row("prompts that a note answers get it", figures.right, 65, true),
    row("work prompts that no note answers get anything", figures.unanswered, 10),
    row("irrelevant prompts get anything", figures.irrelevant, 5),
  ];
}

function tellRelevance({ answered, unanswered, irrelevant }: Relevance): void {
  for (const { prompt, names, wanted, why } of answered) {
    if (!names.some((name) => wanted.includes(name))) tell(`missed ${wanted}, got ${names}`, prompt, why);
  }
  for (const { prompt, names, why } of [...unanswered, ...irrelevant]) {
    if (names.length > 0) tell(`got ${names}`, prompt, why);
  }
}

function tell(what: string, prompt: string, why: string): void {
  console.log(`${what}: ${prompt.slice(0, 150).replaceAll("\n", " ")}\n    ${why}`);
}

async function capture(): Promise<Row[]> {
  const sessions = readSessions(values.sessions ?? join(data, "sessions.json"));
  const played = await withWorkFolder((folder) => playAll(folder, sessions));
  const wrong = played.filter(({ session, questions }) => (session.label === "planted") !== questions.length > 0);
  if (values.verbose) for (const { session } of wrong) console.log(`${session.label} ${session.id} ${session.flavour}`);
  const asked = (label: string) => {
    const of = played.filter(({ session }) => session.label === label);
    return (100 * of.filter(({ questions }) => questions.length > 0).length) / of.length;
  };
  const twice = played.filter(({ questions }) => questions.length > 1).length;
  return [
    { measurement: "ordinary sessions are asked", unit: "%", ours: asked("ordinary"), limit: 10 },
    { measurement: "sessions with a lesson are asked", unit: "%", ours: asked("planted"), limit: 85, atLeast: true },
    { measurement: "sessions are asked twice", unit: "%", ours: (100 * twice) / played.length, limit: 0 },
  ];
}
