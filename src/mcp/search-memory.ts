import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Explanation, type Hit, onOneLine, type SearchPage, type Snippet, withoutFrames } from "../index.ts";
import { given } from "./given.ts";
import { indexProgress } from "./index-progress.ts";
import { howToReadOn, placeInWords, type ToolPlaces, toolLines, toolPlace } from "./reading.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { SearchSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

/** About 3,000 tokens: an answer must not crowd out the work it is for. */
const maxChars = 12_000;
const nameChars = 300;

const input = toolInput({
  query: z.string(),
  topic: z.string().optional(),
  since: z.string().optional().describe("YYYY-MM-DD"),
  until: z.string().optional(),
  path: z.string().optional().describe("glob"),
  limit: z.number().int().min(1).max(50).optional(),
  explain: z.boolean().optional(),
});
const explanation = z.object({
  text: z.number(),
  meaning: z.number(),
  recency: z.number(),
  context: z.number(),
  terms: z.array(z.object({ term: z.string(), for: z.string(), score: z.number() })),
});
const output = z.object({
  hits: z.array(
    z.object({
      root: z.string(),
      kind: z.string(),
      path: z.string(),
      memory_name: z.string().optional(),
      relative_path: z.string().optional(),
      relative_file_path: z.string().optional(),
      title: z.string(),
      breadcrumb: z.array(z.string()),
      date: z.string(),
      start_line: z.number(),
      end_line: z.number(),
      score: z.number(),
      snippet: z.string(),
      flagged: z.boolean().optional(),
      explanation: explanation.optional(),
    }),
  ),
  total: z.number(),
  left_out: z.number(),
  warnings: z.array(z.string()).optional(),
});

export function registerSearchMemory(server: McpServer, { search }: SearchSession, places: ToolPlaces): void {
  server.registerTool(
    "search_memory",
    {
      title: "Search memory",
      description: 'Search all notes and entries, best first. Knows "phrases" and -word.',
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, ...filters }, context) =>
      answer(async () => {
        const page = await (await search()).search({ query, ...given(filters) }, indexProgress(context));
        const shown = fitting(page.hits, places);
        return toReply(toText(shown, page, query, places), {
          hits: shown.map((hit) => toStructured(hit, places)),
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
    // Some clients show the text, some the structure.
    room -= Math.max(toLines(hit, places).length, JSON.stringify(toStructured(hit, places)).length) + 1;
    return room < 0;
  });
  return end === -1 ? hits : hits.slice(0, Math.max(end, 1));
}

function toText(shown: readonly Hit[], { total, warnings }: SearchPage, query: string, places: ToolPlaces): string {
  const lines = shown.map((hit, at) => `${at + 1}. ${toLines(hit, places)}`);
  if (shown.length > 0) lines.push(`(${howToReadOn(shown, places)})`);
  if (total === 0) lines.push(`Nothing in memory matches “${onOneLine(query, nameChars)}”. Try other words, or fewer.`);
  else if (shown.length === 0) lines.push("Nothing more.");
  else if (shown.length < total)
    lines.push(`(${shown.length} of ${total} shown. Raise limit, or narrow with topic, since or path.)`);
  lines.push(...warnings.map((warning) => `Warning: ${onOneLine(warning, nameChars)}`));
  return lines.join("\n");
}

/** Two lines, three with an explanation. What a note says must not look like a line of ours, so it is one and indented. */
function toLines(hit: Hit, places: ToolPlaces): string {
  const { title, breadcrumb, date, snippet, flagged, explanation: why, score } = hit;
  const name = [...breadcrumb.filter((one) => one !== title), title].join(" › ");
  const marks = flagged ? [date, "holds something that looks like a secret"] : [date];
  return [
    onOneLine(`${name} (${[...placeOf(hit, places), ...marks].join(", ")})`, 2 * nameChars),
    `   ${onOneLine(toMarked(snippet), 2 * nameChars)}`,
    ...(why === undefined ? [] : [`   ${onOneLine(toReason(why, score), 2 * nameChars)}`]),
  ].join("\n");
}

/** As the tools take it that read it; of a memory also where it lies. */
function placeOf(hit: Hit, places: ToolPlaces): readonly string[] {
  const words = placeInWords(hit, places).filter((word) => word !== undefined);
  return hit.kind === "memory" ? [...words, hit.root] : words;
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

function toStructured(hit: Hit, places: ToolPlaces) {
  const { snippet, flagged, explanation: why, breadcrumb, title, lines, ...rest } = hit;
  return {
    ...rest,
    ...toolPlace(hit, places),
    title: withoutFrames(title),
    breadcrumb: breadcrumb.map(withoutFrames),
    ...toolLines(lines),
    snippet: withoutFrames(snippet.text),
    ...(flagged ? { flagged } : {}),
    ...(why === undefined ? {} : { explanation: { ...why, terms: [...why.terms] } }),
  };
}
