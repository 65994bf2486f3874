import { askAll, type Given, lessonPath, type PromptSet } from "./prompt-set.ts";

/** Shares from 0 to 1. */
interface RelevanceFigures {
  /** Of the prompts that a note bears on: it was put before the model, in full or by its name. */
  readonly right: number;
  /** It was the record in full. */
  readonly rightInFull: number;
  /** Of the prompts about the project that no note helps with: anything was given. */
  readonly unanswered: number;
  readonly irrelevant: number;
}

export interface Relevance {
  readonly figures: RelevanceFigures;
  readonly answered: readonly (Given & { readonly wanted: readonly string[]; readonly how: string })[];
  readonly unanswered: readonly Given[];
  readonly irrelevant: readonly Given[];
}

export async function measureRelevance(
  folder: string,
  set: PromptSet,
  fillers: PromptSet["notes"] = [],
): Promise<Relevance> {
  const prompts = [...set.answered.map(({ prompt }) => prompt), ...set.unanswered, ...set.irrelevant];
  const given = await askAll(folder, [...set.notes, ...fillers], prompts);
  const lessons = new Set(set.notes.filter(({ kind }) => kind === "lesson").map(({ name }) => name));
  const shown = (name: string) => (lessons.has(name) ? lessonPath(name) : name);
  const answered = set.answered.map(({ note, how }, at) => {
    return { ...(given[at] as Given), wanted: [note].flat().map(shown), how };
  });
  const unanswered = given.slice(answered.length, answered.length + set.unanswered.length);
  const irrelevant = given.slice(answered.length + set.unanswered.length);
  const gotAny = ({ names }: Given) => names.length > 0;
  const figures = {
    right: shareOf(answered, ({ names, wanted }) => names.some((name) => wanted.includes(name))),
    rightInFull: shareOf(answered, ({ names, wanted }) => wanted.includes(names[0] ?? "")),
    unanswered: shareOf(unanswered, gotAny),
    irrelevant: shareOf(irrelevant, gotAny),
  };
  return { figures, answered, unanswered, irrelevant };
}

function shareOf<Item>(items: readonly Item[], has: (item: Item) => boolean): number {
  return items.filter(has).length / items.length;
}
