import { type CarriedValue, carriedValue } from "./carried-value.ts";
import type { Effort } from "./rule.ts";

/** A head of a table, and each of its rows, is no longer. */
const maxLine = 400;
const maxRows = 4;
const afterName = /["'`\])]{0,2}[ \t]{0,2}(?:[,;]|\t| {2}|\)|\r?\n)/y;
const separators = ["\t", ",", ";", "  "] as const;
const columnName =
  /^\s{0,40}["'`[]{0,1}[\p{L}_@#][\p{L}\p{M}\w .#/@-]{0,40}["'`\]]{0,1}(?:\([\w /]{1,20}\))?\s{0,40}$/u;

/**
 * What stands below a name in the head of a CSV or TSV file, or of columns that blanks part, in the first rows; and in
 * `INSERT INTO t (a, password) VALUES (…)` at the same place of the values.
 */
export function columnBelow(
  text: string,
  nameEnd: number,
  effort: Effort,
  isSecret: (value: CarriedValue) => boolean,
): CarriedValue | undefined {
  afterName.lastIndex = nameEnd;
  if (!afterName.test(text)) return undefined;
  effort.spent += 2;
  const from = Math.max(0, nameEnd - maxLine);
  const start = from + text.slice(from, nameEnd).lastIndexOf("\n") + 1;
  const head = lineAt(text, start);
  const place = nameEnd - start;
  effort.spent += head.length >> 5;
  return (
    inValues(text, { head, start, place }, effort, isSecret) ?? inRows(text, { head, start, place }, effort, isSecret)
  );
}

interface Head {
  readonly head: string;
  readonly start: number;
  /** Where in it the name ends. */
  readonly place: number;
}

type IsSecret = (value: CarriedValue) => boolean;

function inRows(text: string, { head, start, place }: Head, effort: Effort, isSecret: IsSecret) {
  for (const separator of separators) {
    if (!head.includes(separator)) continue;
    const columns = fieldsOf(head, separator);
    if (columns.length < 2 || !columns.every(({ text: name }) => columnName.test(name))) continue;
    const column = columns.findIndex(({ end }) => place <= end);
    let at = start + head.length + 1;
    for (let row = 0; row < maxRows; row += 1) {
      const line = lineAt(text, at).replace(/\r$/, "");
      effort.spent += 6 + (line.length >> 3);
      if (/^[ \t,;=+|-]{3,400}$/.test(line)) {
        at += line.length + 1;
        continue;
      }
      const fields = fieldsOf(line, separator);
      if (fields.length < 2 || fields.length !== columns.length) break;
      const found = secretIn(text, at, fields[column], isSecret);
      if (found) return found;
      at += lineAt(text, at).length + 1;
    }
  }
  return undefined;
}

const values = /[^()\n]{0,200}\)\s{0,12}values?\s{0,12}\(/iy;
const insert = /(?:insert|replace|merge|upsert)[^()]{1,90}\([^()]{0,240}$/i;

function inValues(text: string, { start, place }: Head, effort: Effort, isSecret: IsSecret) {
  const nameEnd = start + place;
  values.lastIndex = nameEnd;
  const between = values.exec(text)?.[0];
  if (between === undefined) return undefined;
  effort.spent += 12;
  const before = insert.exec(text.slice(Math.max(0, nameEnd - 340), nameEnd))?.[0];
  if (before === undefined) return undefined;
  const column = before.slice(before.lastIndexOf("(")).split(",").length - 1;
  let at = nameEnd + between.length;
  for (let row = 0; row < maxRows; row += 1) {
    const near = text.slice(at, at + maxLine);
    const fields = fieldsOf(near, ",", ")");
    effort.spent += 20 + (near.length >> 3);
    const found = secretIn(text, at, fields[column], isSecret);
    if (found) return found;
    const next = /^\)\s{0,8},\s{0,8}\(/.exec(near.slice(fields.at(-1)?.end ?? 0));
    if (!next) return undefined;
    at += (fields.at(-1)?.end ?? 0) + next[0].length;
  }
  return undefined;
}

function secretIn(text: string, at: number, field: Field | undefined, isSecret: IsSecret): CarriedValue | undefined {
  if (!field || field.text.trim() === "") return undefined;
  const value = carriedValue(text, at + field.start + field.text.length - field.text.trimStart().length);
  return value && value.end <= at + field.end && isSecret(value) ? value : undefined;
}

interface Field {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A separator in quotes parts nothing; columns of blanks are parted by two of them or more. */
function fieldsOf(line: string, separator: string, stop = "\n"): Field[] {
  const fields: Field[] = [];
  let start = 0;
  let quote = "";
  let at = 0;
  for (; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === stop) break;
    else if (line.startsWith(separator, at)) {
      fields.push({ text: line.slice(start, at), start, end: at });
      at += separator.length - 1;
      while (separator === "  " && line[at + 1] === " ") at += 1;
      start = at + 1;
    }
  }
  fields.push({ text: line.slice(start, at), start, end: at });
  return fields;
}

function lineAt(text: string, start: number): string {
  return text.slice(start, start + maxLine).split("\n", 1)[0] ?? "";
}
