import { encode } from "gpt-tokenizer";
import type { ModelRequest } from "./model-script.ts";

/** Every word of a request, without the marks of JSON. */
export function textOf(request: ModelRequest | undefined): string {
  return request === undefined ? "" : stringsIn(request.body).join("\n");
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

export function timesIn(text: string, words: string): number {
  return text.split(words).length - 1;
}

const records = /From Recollect(?:(?!From Recollect)[\s\S])*?End of records\.[^\n]*/g;
const start = /From Recollect: background[^\n]*(?:\n[^\n]+)*/g;

/** The frames with records that hooks put into a request. */
export function recordsIn(request: ModelRequest | undefined): readonly string[] {
  return textOf(request).match(records) ?? [];
}

/** The lines with which a session starts. */
export function startIn(request: ModelRequest | undefined): string {
  return (textOf(request).match(start) ?? []).join("\n\n");
}

export function tokensOf(text: string): number {
  return encode(text).length;
}
