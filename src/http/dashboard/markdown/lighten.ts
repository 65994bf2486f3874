import type { Token } from "marked";

/** Past this depth a text is shown as it was written: nobody nests like that, but an attacker may. */
const deepest = 36;

const holdsBlocks = ["blockquote", "list_item"];

/**
 * Takes from a token what is not shown: each holds its source once more, which in nested ones is many times the note.
 * Returns how many tokens are in it.
 */
export function lighten(token: Token, depth = 0): number {
  let count = 1;
  for (const children of childrenOf(token)) {
    for (const [index, child] of children.entries()) {
      if (depth < deepest) {
        count += lighten(child, depth + 1);
        continue;
      }
      const type = holdsBlocks.includes(token.type) ? "code" : "text";
      children[index] = { type, raw: "", text: child.raw };
      count += 1;
    }
  }
  if (childrenOf(token).length > 0) Object.assign(token, { text: "" });
  // Shown as it was written.
  if (token.type !== "html") token.raw = "text" in token ? "" : token.raw;
  return count;
}

function childrenOf(token: Token): Token[][] {
  if (token.type === "list") return [(token as Token & { items: Token[] }).items];
  if (token.type === "table") {
    const { header, rows } = token as Token & { header: { tokens: Token[] }[]; rows: { tokens: Token[] }[][] };
    return [header, ...rows].flatMap((cells) => cells.map((cell) => cell.tokens));
  }
  return "tokens" in token && token.tokens !== undefined ? [token.tokens] : [];
}
