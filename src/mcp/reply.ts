import type { CallToolResult, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type ErrorCode, type Excerpt, isRecollectError, type WrittenMemory } from "../app.ts";

/** What a model can do about an error, for the codes whose messages do not say so themselves, unless they do. */
const hints: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: "List what exists, then choose from that.",
  NOT_A_DOCUMENT: "Choose another path.",
  READ_ONLY: "Write somewhere else.",
  NOT_ALLOWED: "Choose another place.",
  INVALID_CONTENT: "Send it again as plain text.",
  PERMISSION_DENIED: "Tell the user.",
  DISK_FULL: "Tell the user.",
  TOO_MANY_OPEN_FILES: "Try again, or tell the user.",
  STORAGE_FAILED: "Tell the user.",
};

/** Where an answer keeps what programs want to have as data. Clients do not show it to a model. */
const detailsKey = "recollect/details";

/**
 * The text, once for each way in which clients hand it on, and the details for programs. A tool whose text is JSON
 * already gives that as structured content: as a text within JSON, each of its quotes would cost one character more.
 */
export function toReply(
  text: string,
  details: Readonly<Record<string, unknown>>,
  structuredContent: Readonly<Record<string, unknown>> = { text },
): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent, _meta: { [detailsKey]: details } };
}

/** How many characters a model gets for a text. */
export function sentLength(text: string): number {
  return JSON.stringify(text).length;
}

/** Runs a tool. Errors become results that the model reads, with the code and what to do, not protocol errors. */
export async function answer(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    return toErrorReply(error);
  }
}

function toErrorReply(error: unknown): CallToolResult {
  if (!isRecollectError(error)) throw error;
  const hint = error.data["advised"] === true ? undefined : hints[error.code];
  const text = `${error.code}: ${error.message}${hint ? ` ${hint}` : ""}`;
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * Several clients hand a model the structured content of an answer, and drop its text. So it is the text, and nothing
 * that a model would pay for twice (USE-12); what programs want beside it stands in the answer's `_meta`.
 */
export const textOutput = toolOutput(z.object({ text: z.string() }));

/**
 * What a tool answers. How it is described to clients is worked out once for each schema: a server over HTTP is made
 * for each request, and would do it each time.
 */
export function toolOutput<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const standard = schema["~standard"] as StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>["~standard"];
  const { jsonSchema } = standard;
  let json: ReturnType<typeof jsonSchema.output> | undefined;
  const output: typeof jsonSchema.output = (options) => {
    json ??= jsonSchema.output(options);
    return json;
  };
  return { "~standard": { ...standard, jsonSchema: { ...jsonSchema, output } } };
}

/** What a model is told that sees a part alone. */
export function toPartNote(part: Excerpt["part"], name: string): string {
  if (!part) return "";
  const [first, last] = [part.from + 1, part.to + 1];
  const rest = last < part.of ? ` Read on: ${name}:${last + 1}-${part.of}` : "";
  return `\n(Lines ${first} to ${last} of ${part.of}.${rest})`;
}

export function writtenWhere({ folder, rev }: WrittenMemory): string {
  return ` (in ${folder}, rev ${rev})`;
}
