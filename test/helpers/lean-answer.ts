import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { textOf } from "./mcp.ts";

/** `{"text":""}` and an escape or two, which weigh only where an answer has a few words. */
const envelopeChars = 16;

/** Several clients hand a model the structured content alone: it holds every line of the text, and little more. */
export function expectLean(result: CallToolResult): void {
  const structured = result.structuredContent;
  const text = textOf(result);
  const told = JSON.stringify(structured);
  expect(told.length, text).toBeLessThanOrEqual(1.15 * text.length + envelopeChars);
  // One tool answers with JSON: its notes stand below that in the text.
  const { text: whole, notes = [], ...listed } = { ...(structured as { text?: string; notes?: string[] }) };
  const lines = (whole ?? [JSON.stringify(listed), ...notes].join("\n")).split("\n");
  expect(lines.filter((line) => line !== "")).toEqual(text.split("\n").filter((line) => line !== ""));
}
