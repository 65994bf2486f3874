import { createRandom } from "./random.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

interface Note {
  readonly path: string;
  readonly content: string;
}

/** Notes and what somebody asks who remembers one of them: the same in each run. */
export interface Corpus {
  readonly count: number;
  note(index: number): Note;
  /** Two to six different words of one note, no stop words among them. */
  query(index: number): readonly string[];
}

const wordsEach = 60;
const notesPerFolder = 1000;

export function createCorpus(count: number): Corpus {
  // The more is written, the more different words it has: about as the square root of its length.
  const vocabulary = createVocabulary(Math.round(40 * Math.sqrt(count * wordsEach)));
  return {
    count,
    note: (index) => makeNote(index, vocabulary),
    query: (index) => makeQuery(index, count, vocabulary),
  };
}

function makeNote(index: number, vocabulary: Vocabulary): Note {
  const random = createRandom(0x1000_0000 + index);
  const draw = (count: number): string[] => Array.from({ length: count }, () => vocabulary.draw(random));
  const title = draw(4).join(" ");
  const first = toSentences(draw(24));
  const list = [draw(8), draw(8), draw(8)].map((words) => `- ${words.join(" ")}`);
  const last = toSentences(draw(8));
  const folder = `area-${String(Math.floor(index / notesPerFolder)).padStart(4, "0")}`;
  return {
    path: `${folder}/note-${String(index).padStart(7, "0")}.md`,
    content: `# ${toSentence(title)}\n\n${first}\n\n${list.join("\n")}\n\n${last}\n`,
  };
}

function toSentences(words: readonly string[]): string {
  const sentences: string[] = [];
  for (let at = 0; at < words.length; at += 12) sentences.push(`${toSentence(words.slice(at, at + 12).join(" "))}.`);
  return sentences.join(" ");
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function makeQuery(index: number, count: number, vocabulary: Vocabulary): readonly string[] {
  const random = createRandom(0x2000_0000 + index);
  const length = 2 + Math.floor(random() * 5);
  const remembered = makeNote(Math.floor(random() * count), vocabulary);
  const words = new Set(remembered.content.toLowerCase().match(/[a-z]+/g) ?? []);
  const telling = [...words].filter((word) => !vocabulary.isStopWord(word));
  return Array.from({ length: Math.min(length, telling.length) }, () => {
    const [word = ""] = telling.splice(Math.floor(random() * telling.length), 1);
    return word;
  });
}
