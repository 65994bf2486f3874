import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import * as z from "zod";
import { readPrompt, type Search } from "../index.ts";
import { gitHints } from "./git-hints.ts";
import type { Io } from "./output.ts";
import { limitsOf, type RecallOptions } from "./recall-options.ts";
import type { WithSearch } from "./with-search.ts";

/** A prompt waits for this. */
const patienceMs = 4000;
/** The beginning of a prompt says what it is about; what follows is often a log. */
const queryChars = 2000;
const hitsLookedAt = 20;
const defaultItems = 3;

const eventInput = z.object({
  hook_event_name: z.enum(["UserPromptSubmit", "SessionStart"]),
  prompt: z.string().optional(),
  cwd: z.string().refine(isAbsolute).optional(),
});

/**
 * Answers a hook of Claude Code with what memory knows for a prompt, or for the branch that a session begins on. Quick
 * or not at all, and silent where there is nothing or something fails: nobody's prompt waits for a broken memory.
 */
export async function runRecallHook(io: Io, options: RecallOptions, open: WithSearch): Promise<void> {
  const timer = deadline(patienceMs);
  try {
    const answered = await Promise.race([answerTo(io, options, open), timer.over]);
    if (answered === "late") io.leave?.();
    else if (answered !== undefined) io.out(`${JSON.stringify(answered)}\n`);
  } catch {
    // Said by `recollect recall` and `recollect doctor`, to who asks.
  } finally {
    timer.end();
  }
}

async function answerTo(io: Io, options: RecallOptions, open: WithSearch) {
  const event = eventInput.parse(JSON.parse(String(await io.readInput())));
  let text = "";
  await open(quietIn(io, event.cwd), options, async (search, { project }) => {
    const isGuess = event.prompt === undefined;
    const query = event.prompt === undefined ? gitHints(project?.folder) : plainWords(event.prompt);
    const limits = limitsOf(options);
    const { maxItems = defaultItems } = limits;
    const fitting = await countFitting(search, query, { isGuess, mostItems: maxItems });
    if (fitting > 0) ({ text } = await search.recall({ query, ...limits, maxItems: fitting }));
  });
  if (text === "") return undefined;
  return { hookSpecificOutput: { hookEventName: event.hook_event_name, additionalContext: text } };
}

/** Words that search takes as words: a prompt's `-v` and `path:x` are no filters. */
function plainWords(prompt: string): string {
  const text = prompt.trim();
  // A command of the client, not a task; a path has another slash.
  if (/^\/[^\s/]+(?:\s|$)/.test(text)) return "";
  return text
    .slice(0, queryChars)
    .replaceAll(/["“”]/g, " ")
    .replaceAll(/(^|\s)[-+]+(?=\S)/g, "$1")
    .replaceAll(/\b(topic|since|until|path|root):/gi, "$1 ")
    .trim();
}

/** How many of the best hits it takes to have all of them that fit. */
async function countFitting(
  search: Search,
  query: string,
  { isGuess, mostItems }: { readonly isGuess: boolean; readonly mostItems: number },
): Promise<number> {
  const prompt = await readPrompt(query, { isGuess });
  if (!prompt.hasSubject) return 0;
  const { hits } = await search.search({ query, limit: hitsLookedAt, explain: true, preview: true });
  // What is flagged is not recalled.
  const recalled = hits.filter(({ flagged }) => !flagged).slice(0, mostItems);
  return recalled.findLastIndex((hit) => prompt.fits(hit)) + 1;
}

function quietIn(io: Io, cwd: string | undefined): Io {
  const { env = process.env, home = homedir(), cwd: here = process.cwd() } = io.place ?? {};
  return { ...io, err: () => {}, terminal: false, place: { env, home, cwd: cwd ?? here } };
}

function deadline(milliseconds: number): { readonly over: Promise<"late">; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(resolve, milliseconds, "late");
  return { over: promise, end: () => clearTimeout(timer) };
}
