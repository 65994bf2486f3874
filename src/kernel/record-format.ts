import type * as z from "zod";
import { isObject, parseJson } from "./json.ts";

/** The version that each record carries. */
export const recordFormat = 1;

export type ReadRecord<Entry> =
  | { readonly kind: "entry"; readonly entry: Entry }
  /** Written by a newer Recollect: not ours to judge. */
  | { readonly kind: "newer" }
  | { readonly kind: "damaged" };

export function readRecord<Entry>(text: string, schema: z.ZodType<Entry>): ReadRecord<Entry> {
  const json = parseJson(text);
  const { format: given, ...entry } = isObject(json) ? json : {};
  if (typeof given === "number" && given > recordFormat) return { kind: "newer" };
  const parsed = given === recordFormat ? schema.safeParse(entry).data : undefined;
  return parsed === undefined ? { kind: "damaged" } : { kind: "entry", entry: parsed };
}

export function toRecordText(entry: object): string {
  return JSON.stringify({ format: recordFormat, ...entry });
}
