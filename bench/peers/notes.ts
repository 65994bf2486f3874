import { loadLocomo } from "../recall/data.ts";
import { unitsOf } from "../recall/units-of.ts";
import { createCorpus } from "../search/corpus.ts";

/** Short notes, and questions with the one note that answers each. */
export interface NoteSet {
  readonly from: string;
  readonly notes: readonly { readonly name: string; readonly content: string }[];
  readonly questions: readonly { readonly text: string; readonly name: string }[];
}

const [noteCount, questionCount] = [200, 60];

/** Turns of a conversation, where that data is there; else made-up notes, asked for by some of their words. */
export function loadNoteSet(): NoteSet {
  const [conversation] = loadLocomo() ?? [];
  if (!conversation) return makeNoteSet();
  const units = conversation.documents.flatMap(unitsOf);
  const nameOf = new Map(units.map(({ path, line }, index) => [`${path}:${line}`, nameAt(index)]));
  const questions = conversation.questions
    .filter(({ answers }) => answers.length === 1)
    .flatMap(({ text, answers: [answer] }) => {
      const name = nameOf.get(`${answer?.path}:${answer?.line}`);
      return name === undefined ? [] : [{ text, name }];
    })
    .slice(0, questionCount);
  // The answers, and the first of the rest.
  const needed = new Set(questions.map(({ name }) => name));
  for (const name of nameOf.values()) if (needed.size < noteCount) needed.add(name);
  const notes = units
    .map(({ text }, index) => ({ name: nameAt(index), content: text.replace(/^## /, "# ") }))
    .filter(({ name }) => needed.has(name));
  return { from: "turns of one LoCoMo conversation", notes, questions };
}

function makeNoteSet(): NoteSet {
  const corpus = createCorpus(noteCount);
  const notes = Array.from({ length: noteCount }, (_, index) => ({
    name: nameAt(index),
    content: corpus.note(index).content,
  }));
  const questions = notes.slice(0, questionCount).map(({ name, content }) => ({
    text: (content.match(/[a-z]{6,}/g) ?? []).slice(0, 4).join(" "),
    name,
  }));
  return { from: "made-up notes", notes, questions };
}

function nameAt(index: number): string {
  return `note-${String(index).padStart(4, "0")}`;
}
