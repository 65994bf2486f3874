import type { Setting } from "./setting.ts";

export interface Refusal {
  /** What was expected and what was found. */
  readonly says: string;
  /** Which element of a list is wrong. */
  readonly element?: number;
}

/** What is wrong with a value, or undefined for a proper one. */
export function refusalOf({ type, withdrawn = {} }: Setting, raw: unknown): Refusal | undefined {
  if (typeof raw === "string" && Object.hasOwn(withdrawn, raw)) return { says: withdrawn[raw] ?? "" };
  const issue = type.schema.safeParse(raw).error?.issues[0];
  if (!issue) return undefined;
  const index = issue.path.find((part) => typeof part === "number");
  const found = foundIn(index !== undefined && Array.isArray(raw) ? raw[index] : raw);
  const which = index === undefined ? "" : `element ${index + 1}: `;
  // A name that the rules of names refuse is not shown: the guard never looked at it.
  const says = issue.code === "custom" ? issue.message : `expected ${type.expects}, found ${found}`;
  return { says: `${which}${says}`, ...(index === undefined ? {} : { element: index }) };
}

/** Short, and with everything visible: a terminal shows it. */
export function shorten(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const visible = short.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
  return `“${visible}”`;
}

function foundIn(raw: unknown): string {
  if (raw === null || raw === undefined) return "nothing";
  if (Array.isArray(raw)) return raw.length === 0 ? "an empty list" : "a list";
  if (typeof raw === "string") return raw === "" ? "an empty text" : `the text ${shorten(raw)}`;
  if (typeof raw === "number") return `the number ${raw}`;
  return typeof raw === "boolean" ? String(raw) : "keys with values";
}
