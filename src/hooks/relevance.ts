import type { Hit, Search } from "../app.ts";

/** A hit, whether it is about what a text is about, and what that was judged by. */
export interface JudgedHit {
  readonly hit: Hit;
  readonly fits: boolean;
  readonly why: string;
}

interface JudgeOptions {
  /** Nobody asked: the text is a guess at what a session is about. */
  readonly isGuess?: boolean;
  readonly limit: number;
}

/** The beginning of a prompt says what it is about; what follows is often a log. */
const queryChars = 2000;
/**
 * What fits is judged by a sum of three figures. A hit that is merely nearest has about 1.3; one that answers, 3:
 *  - its words: each word of the prompt that it says and that few sections have counts about 1;
 *  - similar words: the share of the prompt's words that it says in these or in similar ones, from 0 to 1;
 *  - its lead: twice the distance to the best hit of another document, whose scores go from 0 to 1.
 * The limit was chosen on a set of 300 prompts (`npm run bench:hook-judgement`): below it, more work prompts that no
 * note answers get something than others get the right note.
 */
const enough = 2.5;
const enoughForGuess = 3;
/** Beside a query in a language whose words the table does not know: as for most hits. */
const usualCloseness = 0.45;
/** How much it counts that a hit is the one that stands out: what many notes answer alike, none answers. */
const leadWeight = 2;

/** Something is always nearest, so each hit is judged: a wrong record costs more than none. */
export async function judgeHits(search: Search, text: string, { isGuess = false, limit }: JudgeOptions) {
  const query = plainWords(text);
  if (query === "") return [];
  const { hits } = await search.search({ query, limit, explain: true, strength: true, preview: true });
  const needed = isGuess ? enoughForGuess : enough;
  return hits.filter(({ flagged }) => !flagged).map((hit) => judge(hit, needed));
}

function judge(hit: Hit, needed: number): JudgedHit {
  const { said = 0, close = usualCloseness, lead = 0 } = hit.strength ?? {};
  const sum = said + close + leadWeight * lead;
  const parts = `its words ${said.toFixed(2)}, similar words ${close.toFixed(2)}, lead ${(leadWeight * lead).toFixed(2)}`;
  return { hit, fits: sum >= needed, why: `${sum.toFixed(2)} of ${needed}: ${parts}` };
}

/** Words that search takes as words: a prompt's `-v` and `path:x` are no filters. */
function plainWords(prompt: string): string {
  const text = prompt.trim();
  // A command of the client, not a task; a path has another slash.
  if (/^\/[^\s/]+(?:\s|$)/.test(text) || !/[\p{L}\p{N}]/u.test(text)) return "";
  return text
    .slice(0, queryChars)
    .replaceAll(/["“”]/g, " ")
    .replaceAll(/(^|\s)[-+]+(?=\S)/g, "$1")
    .replaceAll(/\b(topic|since|until|path|root):/gi, "$1 ")
    .trim();
}
