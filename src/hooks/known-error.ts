import type { HookMemory } from "./hook-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { normalisedLine } from "./normalise-error.ts";

const hitsRead = 8;
/** So much of an error's words must stand in one passage of a record. */
const sharedWords = 0.75;
const leastWords = 3;
const word = /[\p{L}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu;
const inQuotes = /(?<![\p{L}\p{N}])(['"`])((?:(?!\1).){1,300})\1(?![\p{L}\p{N}])/gu;
const inBrackets = /([([])([^\s()[\]]{1,80})[)\]]/g;

/** The record that quotes one of these errors; undefined where none does. */
export async function findKnownError(memory: HookMemory, lines: readonly string[]): Promise<MemoryRecord | undefined> {
  for (const line of lines) {
    const words = wordsIn(line);
    if (words.size < leastWords) continue;
    const hits = await memory.search([...words].join(" "), hitsRead);
    for (const hit of hits) {
      const record = hit.flagged ? undefined : await memory.record(hit);
      if (record && quotes(record, line, words)) return record;
    }
  }
  return undefined;
}

function quotes({ title, text }: MemoryRecord, error: string, words: ReadonlySet<string>): boolean {
  return [title, ...text.split("\n")].flatMap(passagesIn).some((passage) => {
    const found = wordsIn(passage).intersection(words);
    if (found.size < leastWords || found.size < sharedWords * words.size) return false;
    // `(reading 'map')` and `(reading 'lockfileHash')` share all other words, and have other causes.
    return namesIn(messageIn(passage, found)).every((name) => error.includes(name));
  });
}

/** What a line quotes at length, such as a whole message, and what it says itself. */
function passagesIn(line: string): string[] {
  const quoted: string[] = [];
  const rest = line.replaceAll(inQuotes, (all, _, text: string) => {
    if (isName(text)) return all;
    quoted.push(text);
    return " ";
  });
  return [...quoted, rest].map(normalisedLine);
}

/** From the first word that is shared to the end of the clause that holds the last: around it, prose names other things. */
function messageIn(passage: string, shared: ReadonlySet<string>): string {
  const places = [...passage.matchAll(word)].filter(([one]) => shared.has(one));
  const end = places.at(-1)?.index ?? 0;
  const clause = /[;,.](?=\s|$)|\s[–—-]\s/.exec(passage.slice(end));
  return passage.slice(places[0]?.index, clause ? end + clause.index : undefined);
}

/** The names in quotes or brackets, by which errors of one kind differ. */
function namesIn(message: string): string[] {
  const names = [...message.matchAll(inQuotes), ...message.matchAll(inBrackets)].map(([, , name = ""]) => name);
  return names.filter((name) => isName(name) && /\p{L}/u.test(name));
}

function isName(text: string): boolean {
  return text.trim().split(/\s+/).length < leastWords;
}

/** Without the words that most errors have. */
function wordsIn(line: string): Set<string> {
  const words = line.match(word) ?? [];
  return new Set(words.map((word) => word.toLowerCase()).filter((word) => !common.has(word)));
}

const common: ReadonlySet<string> = new Set(
  "error errors failed failure fatal exception at in on of the an is was to for from with not no and by it be npm err code exit line file".split(
    " ",
  ),
);
