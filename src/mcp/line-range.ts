import * as z from "zod";
import type { Excerpt, LineRange } from "../app.ts";
import { quiet } from "./tool-input.ts";

/** Lines as Serena counts them: from 0, both ends included. −1 for a limit means the default one. */
export const lineRangeShape = {
  start_line: z.number().int().min(0).optional().describe("From 0"),
  end_line: z.number().int().min(0).optional().describe("Included"),
  max_answer_chars: quiet(z.number().int().min(-1).optional()),
};

interface RangeInput {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly max_answer_chars?: number | undefined;
}

export function toRange(input: RangeInput): LineRange & { maxChars?: number } {
  const { start_line: startLine, end_line: endLine, max_answer_chars: maxChars = -1 } = input;
  return { startLine, endLine, ...(maxChars > 0 ? { maxChars } : {}) };
}

/** What a model is told that sees a part alone. */
export function toPartNote(part: Excerpt["part"], name: string): string {
  if (!part) return "";
  const [first, last] = [part.from + 1, part.to + 1];
  const rest = last < part.of ? ` Read on: ${name}:${last + 1}-${part.of}` : "";
  return `\n(Lines ${first} to ${last} of ${part.of}.${rest})`;
}
