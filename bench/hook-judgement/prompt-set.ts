import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allowRecall } from "../../src/app.ts";
import { type HookMemory, withHookMemory } from "../../src/hooks/hook-memory.ts";
import { renderEntry } from "../../src/notes/topics/entry.ts";

/** Notes and lessons of an invented project, and prompts that some of them bear on and that none does. */
export interface PromptSet {
  readonly notes: readonly SetNote[];
  readonly answered: readonly {
    readonly prompt: string;
    readonly note: string | readonly string[];
    readonly how: string;
  }[];
  /** About the same project, and not helped by any note. */
  readonly unanswered: readonly string[];
  readonly irrelevant: readonly string[];
}

interface SetNote {
  readonly name: string;
  readonly kind: "note" | "lesson";
  readonly text?: string;
  readonly title?: string;
  readonly date?: string;
  readonly context?: string;
  readonly problem?: string;
  readonly solution?: string;
  readonly code?: string;
}

/** What one prompt got: the names of the records, the one in full first. */
export interface Given {
  readonly prompt: string;
  readonly names: readonly string[];
  readonly why: string;
}

const mostRecords = 3;

export function readPromptSet(file: string): PromptSet {
  return JSON.parse(readFileSync(file, "utf8")) as PromptSet;
}

/** Puts the notes into a project of their own below the folder, and asks each prompt there. */
export async function askAll(
  folder: string,
  notes: readonly SetNote[],
  prompts: readonly string[],
): Promise<readonly Given[]> {
  const project = join(folder, "project");
  const home = join(folder, "home");
  const user = { home, env: { HOME: home, PATH: process.env["PATH"] }, platform: process.platform };
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const note of notes) writeNote(project, note);
  mkdirSync(home, { recursive: true });
  allowRecall(project, user);
  return withHookMemory(project, user, async (memory) => {
    const given: Given[] = [];
    for (const prompt of prompts) given.push(await ask(memory, prompt));
    return given;
  });
}

async function ask(memory: HookMemory, prompt: string): Promise<Given> {
  const judged = await memory.judge(prompt, {});
  const names: string[] = [];
  for (const { hit, fits } of judged) {
    const record = fits && names.length < mostRecords ? await memory.record(hit) : undefined;
    if (record && !names.includes(record.name)) names.push(record.name);
  }
  const why = judged.slice(0, 3).map(({ hit, fits, why: reason }) => `${fits ? "+" : "-"} ${hit.path}: ${reason}`);
  return { prompt, names, why: why.join("\n    ") };
}

function writeNote(project: string, note: SetNote): void {
  const {
    name,
    kind,
    text = "",
    title = name,
    date = "2026-01-15",
    context = "main",
    problem = "",
    solution = "",
  } = note;
  const isLesson = kind === "lesson";
  const file = join(project, isLesson ? "memory" : ".serena/memories", `${isLesson ? lessonPath(name) : name}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, isLesson ? renderEntry({ date, title, context, problem, solution, code: note.code }) : text);
}

/** A topic and a subtopic, however many parts a name has. */
export function lessonPath(name: string): string {
  const [topic = "", ...rest] = name.split("/");
  return rest.length === 0 ? `general/${topic}` : `${topic}/${rest.join("-")}`;
}
