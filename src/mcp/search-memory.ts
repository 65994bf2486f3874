import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Explanation, type Hit, onOneLine, type SearchPage, type Snippet, withoutFrames } from "../app.ts";
import { alwaysLoaded } from "./always-loaded.ts";
import { given } from "./given.ts";
import { indexProgress } from "./index-progress.ts";
import { asksForSessions, lastSessionsText } from "./last-sessions.ts";
import { howToReadOn, printedFacts, printedName, type ToolPlaces } from "./reading.ts";
import { answer, sentLength, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { SearchSession } from "./tool-options.ts";

/** About 3,000 tokens: an answer must not crowd out the work it is for. */
const maxChars = 12_000;
const nameChars = 300;

const input = toolInput({
  query: z.string().describe("A question, a name, or the error message"),
  topic: z.string().optional().describe("Only this topic"),
  since: z.string().optional().describe("YYYY-MM-DD"),
  until: z.string().optional().describe("YYYY-MM-DD"),
  path: z.string().optional().describe("Glob on names"),
  limit: z.number().int().min(1).max(50).optional().describe("Most results"),
  explain: z.boolean().optional().describe("Say why"),
});

export function registerSearchMemory(server: McpServer, { search, sessions }: SearchSession, places: ToolPlaces): void {
  server.registerTool(
    "search_memory",
    {
      title: "Search memory",
      description:
        "Use when you are about to change unfamiliar code, a command fails, or the user refers to earlier work. Finds notes and lessons by word and by meaning, best first.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: alwaysLoaded,
    },
    ({ query, ...filters }, context) =>
      answer(async () => {
        const last = sessions && asksForSessions(query) ? lastSessionsText(sessions) : undefined;
        const page = await search.search({ query, ...given(filters) }, indexProgress(context));
        const shown = fitting(page.hits, places);
        const found = last !== undefined && page.total === 0 ? [] : [toText(shown, page, query, places)];
        return toReply([...(last === undefined ? [] : [last]), ...found].join("\n\n"), {
          hits: shown.map((hit) => toDetails(hit, places)),
          total: page.total,
          left_out: page.total - shown.length,
          ...(page.warnings.length === 0 ? {} : { warnings: [...page.warnings] }),
        });
      }),
  );
}

function fitting(hits: readonly Hit[], places: ToolPlaces): readonly Hit[] {
  let room = maxChars;
  const end = hits.findIndex((hit) => {
    room -= sentLength(toLines(hit, places));
    return room < 0;
  });
  return end === -1 ? hits : hits.slice(0, Math.max(end, 1));
}

function toText(shown: readonly Hit[], { total, warnings }: SearchPage, query: string, places: ToolPlaces): string {
  const lines = shown.map((hit, at) => `${at + 1}. ${toLines(hit, places)}`);
  const further = howToReadOn(shown, places);
  if (further !== undefined) lines.push(`(${further})`);
  if (total === 0) lines.push(`Nothing in memory matches “${onOneLine(query, nameChars)}”. Try other words, or fewer.`);
  else if (shown.length === 0) lines.push("Nothing more.");
  else if (shown.length < total)
    lines.push(`(${shown.length} of ${total} shown. Raise limit, or narrow with topic, since or path.)`);
  lines.push(...warnings.map((warning) => `Warning: ${onOneLine(warning, nameChars)}`));
  return lines.join("\n");
}

/** Two lines, three with an explanation. What a note says must not look like a line of ours, so it is one and indented. */
function toLines(hit: Hit, places: ToolPlaces): string {
  const { snippet, flagged, explanation: why, score } = hit;
  const marks = flagged ? ["holds something that looks like a secret"] : [];
  return [
    onOneLine(`${printedName(hit, places)} (${[...printedFacts(hit), ...marks].join(", ")})`, 2 * nameChars),
    `   ${onOneLine(toMarked(snippet), 2 * nameChars)}`,
    ...(why === undefined ? [] : [`   ${onOneLine(toReason(why, score), 2 * nameChars)}`]),
  ].join("\n");
}

function toMarked({ text, marks }: Snippet): string {
  return marks.reduceRight(
    (marked, { from, to }) => `${marked.slice(0, from)}**${marked.slice(from, to)}**${marked.slice(to)}`,
    text,
  );
}

function toReason({ text, meaning, recency, context, terms }: Explanation, score: number): string {
  const parts = Object.entries({ text, meaning, recency, context }).map(([part, value]) => `${part} ${rounded(value)}`);
  const words = terms.map((one) => `${one.for}→${one.term} ${rounded(one.score)}`);
  return `Score ${rounded(score)}: ${parts.join(", ")}${words.length === 0 ? "" : `; ${words.join(", ")}`}`;
}

function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function toDetails(hit: Hit, places: ToolPlaces) {
  const { snippet, flagged, breadcrumb, title, ...rest } = hit;
  return {
    name: printedName(hit, places),
    ...rest,
    title: withoutFrames(title),
    breadcrumb: breadcrumb.map(withoutFrames),
    snippet: withoutFrames(snippet.text),
    ...(flagged ? { flagged } : {}),
  };
}
