import { getNodeValue, type Node } from "jsonc-parser";
import { behindMark, type Edit, lineEndingOf, refused } from "./edit.ts";
import { whatIsLeft } from "./json-config.ts";
import { compact, insertItem, newDocument, removeProperty } from "./json-object.ts";
import {
  addAt,
  followPath,
  isSameJson,
  type Json,
  type JsonPath,
  propertiesOf,
  removeBlank,
  replaceNode,
  valueNode,
} from "./json-tree.ts";

/** Which items of a list are ours, whichever version wrote them. */
export type IsOurs = (item: unknown) => boolean;

/** Brings our items of one list up to date: the others stay byte by byte, and so does what is right already. */
export function putJsonItems(text: string, path: JsonPath, items: readonly Json[], isOurs: IsOurs): Edit {
  return behindMark(text, (plain) => {
    if (plain.trim() === "") {
      return { kind: "changed", text: newDocument(path, items, lineEndingOf(plain)), replaces: false };
    }
    const way = followPath(plain, path);
    if (way.kind === "refused") return way;
    if (way.kind === "part") {
      return items.length === 0
        ? { kind: "unchanged" }
        : { kind: "changed", text: addAt(plain, way, items), replaces: false };
    }
    if (way.value.type !== "array") return refused(`“${path.join(".")}” is no list`);
    const added = updateItems(plain, path, items, isOurs);
    return added === plain ? { kind: "unchanged" } : { kind: "changed", text: added, replaces: false };
  });
}

/** Takes our items out, and the list and the objects around it that are blank then and were not there before. */
export function takeJsonItems(text: string, path: JsonPath, isOurs: IsOurs, had: readonly string[]): Edit {
  return behindMark(text, (plain) => {
    if (plain.trim() === "") return { kind: "unchanged" };
    const way = followPath(plain, path);
    if (way.kind === "refused") return way;
    if (way.kind === "part" || way.value.type !== "array") return { kind: "unchanged" };
    const taken = withoutItems(plain, path, (node) => isOurs(getNodeValue(node)));
    return taken === plain ? { kind: "unchanged" } : whatIsLeft(removeBlank(taken, path, had));
  });
}

/** Takes our items out of the lists that the items of others hold under a key: people put things together. */
export function takeInnerItems(text: string, path: JsonPath, key: string, isOurs: IsOurs): Edit {
  return behindMark(text, (plain) => {
    const taken = plain.trim() === "" ? plain : withoutInner(plain, path, key, isOurs);
    return taken === plain ? { kind: "unchanged" } : { kind: "changed", text: taken, replaces: false };
  });
}

function withoutInner(text: string, path: JsonPath, key: string, isOurs: IsOurs): string {
  for (const item of itemsAt(text, path).filter((node) => !isOurs(getNodeValue(node)))) {
    const property = item.type === "object" ? propertiesOf(item, key)[0] : undefined;
    const list = property && valueNode(property);
    const found = list?.type === "array" ? list.children?.find((node) => isOurs(getNodeValue(node))) : undefined;
    if (list && found) return withoutInner(removeProperty(text, list, found), path, key, isOurs);
  }
  return text;
}

function updateItems(text: string, path: JsonPath, items: readonly Json[], isOurs: IsOurs): string {
  const kept = itemsAt(text, path).filter((node) => isOurs(getNodeValue(node)));
  const missing = items.filter((item) => !kept.some((node) => isSameJson(node, item)));
  const stale = kept.filter((node) => !items.some((item) => isSameJson(node, item)));
  // What replaces another stands in its place: the order of a client's list is its user's.
  const [first] = stale;
  if (first !== undefined && missing.length > 0) {
    const [item, ...rest] = missing;
    const replaced = replaceNode(text, first, compact(item as Json));
    return rest.length === 0 && stale.length === 1 ? replaced : updateItems(replaced, path, items, isOurs);
  }
  const cleared = withoutItems(
    text,
    path,
    (node) => isOurs(getNodeValue(node)) && !items.some((item) => isSameJson(node, item)),
  );
  return missing.reduce<string>((now, item) => {
    const way = followPath(now, path);
    return way.kind === "whole" ? insertItem(now, way.value, item) : now;
  }, cleared);
}

/** From the last one on, so that the places of those before stay as they were. */
function withoutItems(text: string, path: JsonPath, isGoing: (node: Node) => boolean): string {
  const way = followPath(text, path);
  const last = way.kind === "whole" ? (way.value.children ?? []).findLast(isGoing) : undefined;
  if (way.kind !== "whole" || last === undefined) return text;
  return withoutItems(removeProperty(text, way.value, last), path, isGoing);
}

function itemsAt(text: string, path: JsonPath): readonly Node[] {
  const way = followPath(text, path);
  return way.kind === "whole" ? (way.value.children ?? []) : [];
}
