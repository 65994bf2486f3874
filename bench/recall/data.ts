import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Documents, and questions whose answers lie in known places of them. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly RecallDocument[];
  readonly questions: readonly Question[];
}

export interface RecallDocument {
  readonly path: string;
  readonly content: string;
}

interface Question {
  readonly text: string;
  readonly answers: readonly Place[];
}

/** The unit of a document that begins in a line; lines count from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

const dataFolder = join(import.meta.dirname, "../../../shared/data");

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface Conversation {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, string | readonly Turn[]>>;
  readonly qa: readonly { question: string; evidence: readonly string[]; category: number }[];
}

/** The conversations of LoCoMo as notes: a document for each session, a section for each turn. */
export function loadLocomo(): readonly Collection[] | undefined {
  const conversations = load<readonly Conversation[]>("locomo-dev.json");
  return conversations?.map(toCollection);
}

/** All conversations as one collection, each in a folder of its own. */
export function pool(collections: readonly Collection[]): Collection {
  return {
    name: "pooled",
    documents: collections.flatMap(({ documents }) => documents),
    questions: collections.flatMap(({ questions }) => questions),
  };
}

/** The functions of CoSQA, a document each. */
export function loadCosqa(): Collection | undefined {
  const data = load<{ documents: string[]; queries: { query: string; relevant: number }[] }>("cosqa-dev.json");
  if (!data) return undefined;
  const pathOf = (index: number): string => `${index}.md`;
  return {
    name: "CoSQA",
    documents: data.documents.map((text, index) => ({
      path: pathOf(index),
      content: `\`\`\`python\n${text}\n\`\`\`\n`,
    })),
    questions: data.queries.map(({ query, relevant }) => ({
      text: query,
      answers: [{ path: pathOf(relevant), line: 1 }],
    })),
  };
}

export const missingData = `The data of these figures is not here. It is public, and is looked for in ${dataFolder}:
  locomo-dev.json  conversations of LoCoMo (github.com/snap-research/locomo, data/locomo10.json; CC BY-NC 4.0)
  cosqa-dev.json   {documents: [text], queries: [{query, relevant}]} made of CoSQA (github.com/Jun-jie-Huang/CoCLR; MIT)`;

function load<T>(name: string): T | undefined {
  const path = join(dataFolder, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}

/** Questions of categories 1 to 4 that name turns; the fifth asks for what is not there. */
function toCollection({ sample_id, conversation, qa }: Conversation): Collection {
  const places = new Map<string, Place>();
  const documents: RecallDocument[] = [];
  for (const [key, turns] of Object.entries(conversation)) {
    if (!/^session_\d+$/.test(key) || typeof turns === "string") continue;
    const path = `${sample_id}/${key.replace("_", "-")}.md`;
    documents.push({
      path,
      content: renderSession(path, turns, String(conversation[`${key}_date_time`] ?? ""), places),
    });
  }
  const questions = qa
    .filter(({ category }) => category >= 1 && category <= 4)
    .map(({ question, evidence }) => ({ text: question, answers: placesOf(evidence, places) }))
    .filter(({ answers }) => answers.length > 0);
  return { name: sample_id, documents, questions };
}

/** Nothing in it names a turn: where a turn begins is known by its line. */
function renderSession(path: string, turns: readonly Turn[], time: string, places: Map<string, Place>): string {
  const lines = [`# ${time}`, ""];
  for (const { speaker, dia_id, text, blip_caption } of turns) {
    places.set(dia_id, { path, line: lines.length + 1 });
    lines.push(`## ${speaker}`, "", ...oneParagraph(text), "");
    if (blip_caption !== undefined) lines.push(...oneParagraph(`![${blip_caption}]`), "");
  }
  return `${lines.join("\n")}\n`;
}

function oneParagraph(text: string): string[] {
  return [text.replace(/\s+/g, " ").trim()];
}

/** Some questions name several turns in one text, or turns that there are not. */
function placesOf(evidence: readonly string[], places: ReadonlyMap<string, Place>): Place[] {
  const ids = new Set(evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? []));
  return [...ids].flatMap((id) => places.get(id) ?? []);
}
