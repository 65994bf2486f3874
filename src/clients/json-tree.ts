import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { positionOf } from "./edit.ts";
import { end, insertProperty, isBlank, removeProperty, splice } from "./json-object.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** From the outermost object to a value. */
export type JsonPath = readonly string[];

/** How far a path leads: to its property, or to the last object on the way and what is missing from there. */
export type Way =
  | {
      readonly kind: "whole";
      readonly property: Node;
      readonly value: Node;
      readonly holder: Node;
      readonly root: Node;
    }
  | { readonly kind: "part"; readonly holder: Node; readonly missing: JsonPath; readonly root: Node }
  | { readonly kind: "refused"; readonly reason: string };

export function followPath(text: string, path: JsonPath): Way {
  const parsed = parseText(text);
  if ("reason" in parsed) return { kind: "refused", ...parsed };
  const { root } = parsed;
  let holder = root;
  for (const [index, key] of path.entries()) {
    const found = propertiesOf(holder, key);
    const [property] = found;
    if (found.length > 1) {
      const place = index === 0 ? "" : ` in “${path[index - 1]}”`;
      return { kind: "refused", reason: `it has “${key}” twice${place}; keep one of them` };
    }
    if (property === undefined) return { kind: "part", holder, missing: path.slice(index), root };
    const value = valueNode(property);
    if (index === path.length - 1) return { kind: "whole", property, value, holder, root };
    if (value.type !== "object") {
      return { kind: "refused", reason: `“${key}” is no object (${positionOf(text, value.offset)})` };
    }
    holder = value;
  }
  return { kind: "refused", reason: "no path was given" };
}

/** Adds what is missing on the way to a value. */
export function addAt(text: string, { holder, missing }: Extract<Way, { kind: "part" }>, value: Json): string {
  const [key = "", ...rest] = missing;
  return insertProperty(
    text,
    holder,
    key,
    rest.reduceRight<Json>((inner, name) => ({ [name]: inner }), value),
  );
}

/** Takes the value out, and the objects and lists around it that are blank then and were not there before. */
export function removeAt(text: string, path: JsonPath, had: readonly string[]): string {
  const way = followPath(text, path);
  if (way.kind !== "whole") return text;
  const taken = removeProperty(text, way.holder, way.property);
  return removeBlank(taken, path.slice(0, -1), had);
}

export function removeBlank(text: string, path: JsonPath, had: readonly string[]): string {
  if (path.length === 0 || had.includes(nameOfPath(path))) return text;
  const way = followPath(text, path);
  return way.kind === "whole" && isBlank(text, way.value) ? removeAt(text, path, had) : text;
}

/** The objects and lists on the way to a value that are there. */
export function holdersOn(text: string, path: JsonPath): string[] {
  const found: string[] = [];
  for (let length = 1; length <= path.length; length += 1) {
    if (followPath(text, path.slice(0, length)).kind !== "whole") break;
    found.push(nameOfPath(path.slice(0, length)));
  }
  return found;
}

/** Of the object at a path. */
export function keysAt(text: string, path: JsonPath): string[] {
  const way = text.trim() === "" ? undefined : followPath(text, path);
  return way?.kind === "whole" && way.value.type === "object" ? (way.value.children ?? []).map(keyOf) : [];
}

export function nameOfPath(path: JsonPath): string {
  return JSON.stringify(path);
}

export function replaceNode(text: string, node: Node, by: string): string {
  return splice(text, node.offset, end(node), by);
}

export function propertiesOf(object: Node, key: string): Node[] {
  return (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
}

export function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

/** A parse without errors gives every property its value. */
export function valueNode(property: Node): Node {
  const value = property.children?.[1];
  if (value === undefined) throw new Error("a property without a value");
  return value;
}

export function isSameJson(node: Node, value: Json): boolean {
  if (typeof value !== "object" || value === null) return node.type !== "object" && node.value === value;
  const children = node.children ?? [];
  if (Array.isArray(value)) {
    return (
      node.type === "array" &&
      children.length === value.length &&
      value.every((each: Json, index) => isSameJson(children[index] as Node, each))
    );
  }
  const entries = Object.entries(value as Record<string, Json>);
  return (
    node.type === "object" &&
    children.length === entries.length &&
    entries.every(([key, each]) => {
      const [property] = propertiesOf(node, key);
      return property !== undefined && isSameJson(valueNode(property), each);
    })
  );
}

function parseText(text: string): { readonly root: Node } | { readonly reason: string } {
  const errors: ParseError[] = [];
  const root = parseGuarded(text, errors);
  if (root === "too deep") return { reason: "it is nested too deeply to be a configuration" };
  const error = errors[0];
  if (error !== undefined || root === undefined) {
    const what = error === undefined ? "" : ` (${wordsOf(error)} at ${positionOf(text, error.offset)})`;
    return { reason: `it is not valid JSON${what}` };
  }
  return root.type === "object" ? { root } : { reason: "it holds no JSON object" };
}

function parseGuarded(text: string, errors: ParseError[]): Node | undefined | "too deep" {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser calls itself for each level; a hostile file has a hundred thousand.
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

/** “CommaExpected” → “comma expected” */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}
