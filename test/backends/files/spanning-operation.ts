import type { Address, Change, Store } from "../../../src/app.ts";
import { at } from "./scratch.ts";

/** The documents before: two folders and the root itself. */
export const before: Readonly<Record<string, string>> = { "a/x.md": "X", "b/y.md": "Y", "r.md": "R" };

/** And after: one replaced, one removed, one made in a new folder, one moved. */
export const after: Readonly<Record<string, string>> = { "a/x.md": "X2", "c/new.md": "N", "a/r.md": "R" };

export function spanningChanges(): { addresses: Address[]; changes: Change[] } {
  const changes: Change[] = [
    { kind: "put", at: at("c/new.md"), content: "N" },
    { kind: "put", at: at("a/x.md"), content: "X2" },
    { kind: "move", from: at("r.md"), to: at("a/r.md") },
    { kind: "remove", at: at("b/y.md") },
  ];
  return { addresses: ["c/new.md", "a/x.md", "r.md", "a/r.md", "b/y.md"].map((path) => at(path)), changes };
}

export async function contents(store: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const document = await store.read(store.resolve(at(path)));
    if (document) found[path] = document.content;
  }
  return found;
}
