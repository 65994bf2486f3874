import type { Token } from "marked";

/** What it takes a page to show a text, in tokens of a few letters each; measured. */
const lettersEach = 50;
const lettersAsWritten = 100;
const linesEach = 4;
/** A reference is a link of its own. */
const tokensOfReference = 2;

/** What a token without others in it weighs. */
export function weightOf(token: Token): number {
  const text = "text" in token ? String(token["text"]) : token.raw;
  if (token.type === "code") return weightAsWritten(text);
  const references = text.split("mem:").length - 1;
  return 1 + Math.floor(text.length / lettersEach + linesIn(text) / linesEach) + references * tokensOfReference;
}

/** Lines that are not wrapped are less work. */
export function weightAsWritten(text: string): number {
  return 1 + Math.floor(linesIn(text) / linesEach + text.length / lettersAsWritten);
}

export function linesIn(text: string): number {
  return text.split("\n").length - 1;
}
