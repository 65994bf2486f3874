import { givenSince, type SessionEntry } from "./session-log.ts";

/** How many tokens each kind of answer may have (USE-4, USE-5). */
export const budgets = {
  prompt: 600,
  /** The record that a prompt gets in full; beside it stand the names of others. */
  usual: 300,
  failure: 200,
  start: 150,
  afterCompaction: 600,
  subagent: 400,
} as const;

/** In any so many prompts together, counted from the last compaction. */
const windowPrompts = 20;
const windowTokens = 1500;

/** How many tokens the next answer may still have, by what the last prompts got. */
export function tokensLeft(entries: readonly SessionEntry[]): number {
  const given = givenSince(entries);
  const claims = new Set([...given.values()].map(({ claim }) => claim));
  let [prompts, spent] = [0, 0];
  for (const entry of entries.slice(entries.findLastIndex(({ t }) => t === "compacted") + 1).toReversed()) {
    if (entry.t === "prompt") prompts += 1;
    if (prompts > windowPrompts) break;
    if (entry.t === "told" || (entry.t === "given" && claims.has(entry.claim))) spent += entry.tokens;
  }
  return Math.max(0, windowTokens - spent);
}

/** More than a tokenizer counts, for a text of any kind: loading one would take a third of a hook's time. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(/\p{Script=Latin}+|\p{N}+|\s+|[\s\S]/gu)) tokens += costOf(part);
  return Math.ceil(tokens);
}

function costOf(part: string): number {
  if (/^\p{Script=Latin}/u.test(part)) return part.length <= 5 ? 1 : Math.ceil(part.length / 3.5);
  if (/^\p{N}/u.test(part)) return Math.ceil(part.length / 2);
  if (/^\s/.test(part)) return part === " " ? 0 : 1;
  return (part.codePointAt(0) ?? 0) > 0x2000 ? 1.6 : 1;
}
