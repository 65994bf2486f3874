import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { behindMark, type Edit, lineEndingOf, positionOf, refused } from "./edit.ts";
import { type FoundServers, isSerena, ownKeys } from "./found-entry.ts";
import { compact, end, insertProperty, isBlank, newDocument, removeProperty, splice } from "./json-object.ts";
import { type ServerEntry, serverName } from "./server-entry.ts";

/**
 * Puts our entry into a client's JSON, or brings it up to date without the keys in `drops`; what else is in the text
 * stays byte by byte.
 */
export function putJsonEntry(text: string, holderKey: string, entry: ServerEntry, drops: readonly string[] = []): Edit {
  return behindMark(text, (plain) => {
    if (plain.trim() === "") {
      const document = newDocument(holderKey, { [serverName]: entry }, lineEndingOf(plain));
      return { kind: "changed", text: document, replaces: false };
    }
    const place = findPlace(plain, holderKey);
    if ("reason" in place) return refused(place.reason);
    const { root, holder, ours } = place;
    if (holder === undefined) {
      const added = insertProperty(plain, root, holderKey, { [serverName]: entry });
      return { kind: "changed", text: added, replaces: false };
    }
    if (ours === undefined) {
      return { kind: "changed", text: insertProperty(plain, holder, serverName, entry), replaces: false };
    }
    return updateEntry(plain, holderKey, entry, valueNode(ours), drops);
  });
}

/** Takes our entry out, and the holder of servers if nothing is left in it. */
export function takeJsonEntry(text: string, holderKey: string): Edit {
  return behindMark(text, (plain) => {
    if (plain.trim() === "") return { kind: "unchanged" };
    const place = findPlace(plain, holderKey);
    if ("reason" in place) return refused(place.reason);
    if (place.holder === undefined || place.ours === undefined) return { kind: "unchanged" };
    const taken = removeProperty(plain, place.holder, place.ours);
    const rest = findPlace(taken, holderKey);
    if ("reason" in rest) return refused(rest.reason);
    if (rest.holder === undefined || rest.holderProperty === undefined || !isBlank(taken, rest.holder)) {
      return { kind: "changed", text: taken, replaces: false };
    }
    const cleared = removeProperty(taken, rest.root, rest.holderProperty);
    if (/^\s*\{\s*\}\s*$/.test(cleared)) return { kind: "emptied" };
    return { kind: "changed", text: cleared, replaces: false };
  });
}

/** What the text has of us. Of a text that cannot be read, nothing. */
export function readJsonServers(text: string, holderKey: string): FoundServers {
  // The mark stays in the text, so that the offsets are those of the text.
  const place = findPlace(text.replace(/^\ufeff/, " "), holderKey);
  if ("reason" in place || place.holder === undefined) return { serena: [] };
  const source = (node: Node) => text.slice(node.offset, end(node));
  const nameOf = (property: Node) => String(property.children?.[0]?.value);
  const serena = (place.holder.children ?? [])
    .filter((property) => property !== place.ours && isSerena(nameOf(property), source(property)))
    .map(nameOf);
  if (place.ours === undefined) return { serena };
  const node = valueNode(place.ours);
  const properties = node.type === "object" ? (node.children ?? []) : [];
  const nodeOf = (key: string) => propertiesOf(node, key).map(valueNode)[0];
  const command = node.type === "object" ? nodeOf("command") : undefined;
  const args = node.type === "object" ? nodeOf("args") : undefined;
  const words = args?.type === "array" ? (args.children ?? []).map(({ value }): unknown => value) : undefined;
  return {
    serena,
    entry: {
      command: command?.type === "string" ? command.value : undefined,
      args: words?.every((word) => typeof word === "string") ? words : undefined,
      others: properties
        .filter((property) => !ownKeys.includes(nameOf(property)))
        .map((property) => [nameOf(property), source(valueNode(property))]),
      spans: [{ start: place.ours.offset, end: end(place.ours) }],
    },
  };
}

interface Place {
  readonly root: Node;
  readonly holderProperty?: Node;
  readonly holder?: Node;
  /** The property with our name. */
  readonly ours?: Node;
}

function findPlace(text: string, holderKey: string): Place | { readonly reason: string } {
  const parsed = parseText(text);
  if ("reason" in parsed) return parsed;
  const { root } = parsed;
  const holders = propertiesOf(root, holderKey);
  const holderProperty = holders[0];
  if (holders.length > 1) return { reason: `it has “${holderKey}” twice; keep one of them` };
  if (holderProperty === undefined) return { root };
  const holder = valueNode(holderProperty);
  if (holder.type !== "object") {
    return { reason: `“${holderKey}” is no object (${positionOf(text, holder.offset)})` };
  }
  const own = propertiesOf(holder, serverName);
  if (own.length > 1) return { reason: `it has “${serverName}” twice in “${holderKey}”; keep one of them` };
  return { root, holderProperty, holder, ...(own[0] === undefined ? {} : { ours: own[0] }) };
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

function updateEntry(text: string, holderKey: string, entry: ServerEntry, node: Node, drops: readonly string[]): Edit {
  if (node.type !== "object") {
    return { kind: "changed", text: splice(text, node.offset, end(node), compact(entry)), replaces: true };
  }
  const keys = (node.children ?? []).map((property) => String(property.children?.[0]?.value));
  const doubled = keys.find((key, index) => keys.indexOf(key) !== index);
  if (doubled !== undefined) return refused(`its entry “${serverName}” has “${doubled}” twice; keep one of them`);
  const type = propertiesOf(node, "type")[0];
  const remote = keys.some((key) => /url$/i.test(key)) || (type !== undefined && valueNode(type).value !== "stdio");
  if (remote) return refused(`its entry “${serverName}” is a remote server; rename or remove that first`);
  const edits = [
    ...drops.map((key) => (now: string, object: Node) => withoutKey(now, object, key)),
    ...(["command", "args"] as const).map(
      (key) => (now: string, object: Node) => withValue(now, object, key, entry[key]),
    ),
  ];
  let changed = text;
  for (const edit of edits) {
    const place = findPlace(changed, holderKey);
    if ("reason" in place || place.ours === undefined) return refused("it cannot be edited safely");
    changed = edit(changed, valueNode(place.ours));
  }
  return changed === text ? { kind: "unchanged" } : { kind: "changed", text: changed, replaces: true };
}

function withoutKey(text: string, object: Node, key: string): string {
  const property = propertiesOf(object, key)[0];
  return property === undefined ? text : removeProperty(text, object, property);
}

function withValue(text: string, object: Node, key: string, value: string | readonly string[]): string {
  const property = propertiesOf(object, key)[0];
  if (property === undefined) return insertProperty(text, object, key, value);
  const node = valueNode(property);
  if (isSame(node, value)) return text;
  return splice(text, node.offset, end(node), compact(value));
}

function isSame(node: Node, value: string | readonly string[]): boolean {
  if (typeof value === "string") return node.type === "string" && node.value === value;
  const items = node.children ?? [];
  return (
    node.type === "array" && items.length === value.length && items.every((item, index) => item.value === value[index])
  );
}

function propertiesOf(object: Node, key: string): Node[] {
  return (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
}

/** A parse without errors gives every property its value. */
function valueNode(property: Node): Node {
  const value = property.children?.[1];
  if (value === undefined) throw new Error("a property without a value");
  return value;
}
