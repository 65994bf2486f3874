import { createScanner, type Node } from "jsonc-parser";
import { lineEndingOf } from "./edit.ts";

/**
 * Puts one property into an object of a JSONC text, or takes one out, and leaves every other byte as it is.
 * (The library's own `modify` formats the whole line that it touches, which in a compact file is the whole file.)
 * Taking out is the exact inverse of putting in, unless the object was empty before.
 */
export function insertProperty(text: string, object: Node, key: string, value: unknown): string {
  return insertMember(text, object, (written) => `${JSON.stringify(key)}: ${written(value)}`);
}

/** The same for a list. */
export function insertItem(text: string, list: Node, value: unknown): string {
  return insertMember(text, list, (written) => written(value));
}

/** A member as it stands in its place: on one line, or over several with an indentation. */
type WrittenMember = (written: (value: unknown) => string) => string;

function insertMember(text: string, object: Node, member: WrittenMember): string {
  const eol = lineEndingOf(text);
  const unit = indentUnitOf(text);
  const last = object.children?.at(-1);
  if (last === undefined) return insertIntoEmpty(text, object, member);
  const indent = ownIndentOf(text, last);
  const after = nextToken(text, end(last));
  const trailingComma = text[after] === "," ? after + 1 : undefined;
  const anchor = trailingComma ?? end(last);
  if (indent === undefined) {
    const property = member(compact);
    return splice(text, anchor, anchor, trailingComma === undefined ? `, ${property}` : ` ${property},`);
  }
  const property = `${indent}${member((value) => pretty(value, indent, unit, eol))}`;
  const at = endOfCommentsOnLine(text, anchor);
  const added = splice(text, at, at, `${eol}${property}${trailingComma === undefined ? "" : ","}`);
  return trailingComma === undefined ? splice(added, end(last), end(last), ",") : added;
}

export function removeProperty(text: string, object: Node, property: Node): string {
  const index = object.children?.indexOf(property) ?? -1;
  const previous = object.children?.[index - 1];
  const start = property.offset;
  const after = nextToken(text, end(property));
  if (text[after] === ",") {
    const rest = text.slice(after + 1);
    const alone = /^(?:[ \t]*(?:\r?\n|$)|[ \t]*[}\]])/.test(rest);
    const from = alone ? startOfBlankBefore(text, start) : start;
    const to = alone ? after + 1 : after + 1 + (/^[ \t]*/.exec(rest)?.[0].length ?? 0);
    // A comment between the value and its comma is somebody's words, and stays.
    return text.slice(0, from) + text.slice(end(property), after) + text.slice(to);
  }
  // A comment behind a property on a line of its own keeps that line.
  const staysOnLine = ownIndentOf(text, property) !== undefined && /^[ \t]*\/[/*]/.test(text.slice(end(property)));
  const from = staysOnLine ? start : startOfBlankBefore(text, start);
  const taken = splice(text, from, end(property), "");
  if (previous === undefined) return taken;
  const comma = nextToken(text, end(previous));
  return splice(taken, comma, comma + 1, "");
}

/** Whether nothing but white space stands between the braces or brackets. */
export function isBlank(text: string, object: Node): boolean {
  return /^(?:\{\s*\}|\[\s*\])$/.test(text.slice(object.offset, end(object)));
}

/** A whole new document with one value. */
export function newDocument(path: readonly string[], value: unknown, eol: string): string {
  const document = path.reduceRight((inner, key) => ({ [key]: inner }), value);
  return `${pretty(document, "", "  ", eol)}${eol}`;
}

/** On one line. */
export function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${compact(inner)}`);
  return `{${pairs.join(", ")}}`;
}

export function end(node: Node): number {
  return node.offset + node.length;
}

export function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

function insertIntoEmpty(text: string, object: Node, member: WrittenMember): string {
  const eol = lineEndingOf(text);
  const unit = indentUnitOf(text);
  const outer = lineIndentOf(text, object.offset);
  const inner = text.slice(object.offset + 1, end(object) - 1);
  const property = `${eol}${outer}${unit}${member((value) => pretty(value, outer + unit, unit, eol))}`;
  const kept = inner.trimEnd();
  const tail = kept !== "" && /\n/.test(inner.slice(kept.length)) ? inner.slice(kept.length) : `${eol}${outer}`;
  return splice(text, object.offset + 1, end(object) - 1, `${kept}${property}${tail}`);
}

/** Longer lists have a line for each item. */
const longestLine = 160;

function pretty(value: unknown, indent: string, unit: string, eol: string): string {
  if (typeof value !== "object" || value === null) return compact(value);
  const inner = indent + unit;
  if (Array.isArray(value)) {
    const line = compact(value);
    if (line.length <= longestLine || value.length === 1) return line;
    return `[${eol}${value.map((each) => inner + compact(each)).join(`,${eol}`)}${eol}${indent}]`;
  }
  const lines = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${pretty(each, inner, unit, eol)}`,
  );
  return `{${eol}${lines.join(`,${eol}`)}${eol}${indent}}`;
}

/** The first indentation in the text is that of the outermost properties. */
function indentUnitOf(text: string): string {
  return /^\s*\{[ \t]*\r?\n([ \t]+)"/.exec(text)?.[1] ?? /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

/** The indentation of a node that is the first in its line. */
function ownIndentOf(text: string, node: Node): string | undefined {
  const start = startOfBlanks(text, node.offset);
  return start === 0 || text[start - 1] === "\n" ? text.slice(start, node.offset) : undefined;
}

function lineIndentOf(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** Back over the indentation and one line end, or over the blanks inside of a line. */
function startOfBlankBefore(text: string, offset: number): number {
  const start = startOfBlanks(text, offset);
  if (text[start - 1] !== "\n") return start;
  return text[start - 2] === "\r" ? start - 2 : start - 1;
}

/** By hand: an expression that ends with `$` takes quadratic time over a megabyte of blanks. */
function startOfBlanks(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === " " || text[start - 1] === "\t") start -= 1;
  return start;
}

/** Where the next token stands, past white space and comments. */
function nextToken(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return scanner.getTokenOffset();
}

function endOfCommentsOnLine(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let found = offset;
  for (;;) {
    scanner.scan();
    const first = text[scanner.getTokenOffset()];
    if (first === "/") found = scanner.getPosition();
    else if (first !== " " && first !== "\t") return found;
  }
}
