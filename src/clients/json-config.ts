import type { Node } from "jsonc-parser";
import { behindMark, type Edit, lineEndingOf, refused } from "./edit.ts";
import { type FoundServers, isSerena, ownKeys } from "./found-entry.ts";
import { compact, end, insertProperty, newDocument, removeProperty } from "./json-object.ts";
import {
  addAt,
  followPath,
  isSameJson,
  type Json,
  type JsonPath,
  keyOf,
  propertiesOf,
  removeAt,
  replaceNode,
  valueNode,
} from "./json-tree.ts";
import { type ServerEntry, serverName } from "./server-entry.ts";

/**
 * Puts our entry into a client's JSON, or brings it up to date without the keys in `drops`; what else is in the text
 * stays byte by byte.
 */
export function putJsonEntry(text: string, holder: JsonPath, entry: ServerEntry, drops: readonly string[] = []): Edit {
  return behindMark(text, (plain) => {
    const path = [...holder, serverName];
    if (plain.trim() === "") {
      return { kind: "changed", text: newDocument(path, entry, lineEndingOf(plain)), replaces: false };
    }
    const way = followPath(plain, path);
    if (way.kind === "refused") return way;
    if (way.kind === "part") return { kind: "changed", text: addAt(plain, way, entry), replaces: false };
    return updateEntry(plain, path, entry, way.value, drops);
  });
}

/** Takes our entry out, and the objects around it that are blank then and were not there before. */
export function takeJsonEntry(text: string, holder: JsonPath, had: readonly string[] = []): Edit {
  return behindMark(text, (plain) => {
    if (plain.trim() === "") return { kind: "unchanged" };
    const path = [...holder, serverName];
    const way = followPath(plain, path);
    if (way.kind === "refused") return way;
    return way.kind === "part" ? { kind: "unchanged" } : whatIsLeft(removeAt(plain, path, had));
  });
}

export function whatIsLeft(text: string): Edit {
  return /^\s*\{\s*\}\s*$/.test(text) ? { kind: "emptied", text } : { kind: "changed", text, replaces: false };
}

/** What the text has of us. Of a text that cannot be read, nothing. */
export function readJsonServers(text: string, holder: JsonPath): FoundServers {
  // The mark stays in the text, so that the offsets are those of the text.
  const way = followPath(text.replace(/^\ufeff/, " "), holder);
  if (way.kind !== "whole" || way.value.type !== "object") return { serena: [] };
  const source = (node: Node) => text.slice(node.offset, end(node));
  const [ours, second] = propertiesOf(way.value, serverName);
  const serena = (way.value.children ?? [])
    .filter((property) => property !== ours && isSerena(keyOf(property), source(property)))
    .map(keyOf);
  if (ours === undefined || second !== undefined) return { serena };
  const node = valueNode(ours);
  const properties = node.type === "object" ? (node.children ?? []) : [];
  const line = [
    ...wordsIn(properties.find((property) => keyOf(property) === "command")),
    ...wordsIn(properties.find((property) => keyOf(property) === "args")),
  ];
  const isWhole = line.every((word) => typeof word === "string");
  return {
    serena,
    entry: {
      command: typeof line[0] === "string" ? line[0] : undefined,
      args: isWhole ? line.slice(1) : undefined,
      others: properties
        .filter((property) => !ownKeys.includes(keyOf(property)))
        .map((property) => [keyOf(property), source(valueNode(property))]),
      spans: [{ start: ours.offset, end: end(ours) }],
    },
  };
}

/** Some clients have the command and its arguments in one list. */
function wordsIn(property: Node | undefined): unknown[] {
  if (property === undefined) return [];
  const node = valueNode(property);
  if (node.type === "array") return (node.children ?? []).map(({ value }): unknown => value);
  return [node.value];
}

function updateEntry(text: string, path: JsonPath, entry: ServerEntry, node: Node, drops: readonly string[]): Edit {
  if (node.type !== "object") {
    return { kind: "changed", text: replaceNode(text, node, compact(entry)), replaces: true };
  }
  const keys = (node.children ?? []).map(keyOf);
  const doubled = keys.find((key, index) => keys.indexOf(key) !== index);
  if (doubled !== undefined) return refused(`its entry “${serverName}” has “${doubled}” twice; keep one of them`);
  const type = propertiesOf(node, "type")[0];
  const remote =
    keys.some((key) => /url$/i.test(key)) ||
    (type !== undefined && !["stdio", "local"].includes(String(valueNode(type).value)));
  if (remote) return refused(`its entry “${serverName}” is a remote server; rename or remove that first`);
  // An older entry without a transport means the same; only new entries get what clients take for granted.
  const wanted = Object.entries(entry).filter(([key]) => key !== "type");
  const edits = [
    ...drops.map((key) => (now: string, object: Node) => withoutKey(now, object, key)),
    ...wanted.map(
      ([key, value]) =>
        (now: string, object: Node) =>
          withValue(now, object, key, value),
    ),
  ];
  let changed = text;
  for (const edit of edits) {
    const way = followPath(changed, path);
    if (way.kind !== "whole") return refused("it cannot be edited safely");
    changed = edit(changed, way.value);
  }
  return changed === text ? { kind: "unchanged" } : { kind: "changed", text: changed, replaces: true };
}

function withoutKey(text: string, object: Node, key: string): string {
  const property = propertiesOf(object, key)[0];
  return property === undefined ? text : removeProperty(text, object, property);
}

function withValue(text: string, object: Node, key: string, value: Json): string {
  const property = propertiesOf(object, key)[0];
  if (property === undefined) return insertProperty(text, object, key, value);
  const node = valueNode(property);
  return isSameJson(node, value) ? text : replaceNode(text, node, compact(value));
}
