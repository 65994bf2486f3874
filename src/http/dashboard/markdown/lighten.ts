import type { Token } from "marked";
import { weightOf } from "./block-weight.ts";

/** Past this depth a text is shown as it was written: nobody nests like that, but an attacker may. */
const deepest = 36;

const holdsBlocks = ["blockquote", "list_item"];

/**
 * Takes from a token what is not shown: each holds its source once more, which in nested ones is many times the note.
 * Returns what it weighs with all that is in it.
 */
export function lighten(token: Token, depth = 0): number {
  const groups = childrenOf(token);
  let weight = groups.length > 0 ? 1 : weightOf(token);
  for (const children of groups) {
    for (const [index, child] of children.entries()) {
      if (depth < deepest) {
        weight += lighten(child, depth + 1);
        continue;
      }
      const type = holdsBlocks.includes(token.type) ? "code" : "text";
      const written = { type, raw: "", text: child.raw };
      children[index] = written;
      weight += weightOf(written);
    }
  }
  if (groups.length > 0) Object.assign(token, { text: "" });
  // Shown as it was written.
  if (token.type !== "html") token.raw = "text" in token ? "" : token.raw;
  return weight;
}

function childrenOf(token: Token): Token[][] {
  if (token.type === "list") return [(token as Token & { items: Token[] }).items];
  if (token.type === "table") {
    const { header, rows } = token as Token & { header: { tokens: Token[] }[]; rows: { tokens: Token[] }[][] };
    return [header, ...rows].flatMap((cells) => cells.map((cell) => cell.tokens));
  }
  return "tokens" in token && token.tokens !== undefined ? [token.tokens] : [];
}
