import { rules } from "../../src/guard/rules/all.ts";

export interface HostileText {
  readonly name: string;
  readonly text: string;
}

/** Texts that make each rule work as hard as it can: its anchor, what almost matches it, and what matches, over and over. */
export function hostileTexts(length: number): HostileText[] {
  const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const perRule = rules.flatMap(({ id, anchors, matches }) => [
    ...anchors.map((anchor) => ({ name: `${id}: its anchor “${anchor}”`, text: fill(anchor) })),
    ...anchors.map((anchor) => ({ name: `${id}: “${anchor}” between blanks`, text: fill(`${anchor} `) })),
    ...anchors.map((anchor) => ({ name: `${id}: “${anchor}” in capitals`, text: fill(anchor.toUpperCase()) })),
    ...anchors.map((anchor) => ({ name: `${id}: “${anchor}” with filler`, text: fill(`${anchor}ab1.xxxxxx`) })),
    ...matches.flatMap((match, index) => [
      { name: `${id}: example ${index}`, text: fill(`${match}\n`) },
      { name: `${id}: example ${index}, end missing`, text: fill(`${match.slice(0, -2)} `) },
      { name: `${id}: example ${index}, wrong in the middle`, text: fill(`${match.slice(0, match.length / 2)}\u00e9`) },
      { name: `${id}: example ${index}, no blanks`, text: fill(match) },
    ]),
  ]);
  const general = [
    ..."aA0-_./:=% \n\t\"'`<{[(\\&@é\u200b\u00ad".split("").map((character) => ({
      name: `one character, U+${character.charCodeAt(0).toString(16)}`,
      text: fill(character),
    })),
    { name: "base64 without end", text: fill("aGVsbG8gd29ybGQ/") },
    { name: "base64 in short words", text: fill(`${"aB3/".repeat(7)} `) },
    { name: "hexadecimal", text: fill("67687031") },
    { name: "escapes", text: fill("%67%68") },
    { name: "escapes in words", text: fill("a%67 ") },
    { name: "one escape at the end of long words", text: fill(`${"a".repeat(3000)}%67 `) },
    { name: "assignments", text: fill("password=") },
    { name: "assignments with quotes", text: fill('"password": "') },
    { name: "assignments with blanks", text: fill("password    :    ") },
    { name: "words with brackets", text: fill("token=${") },
    { name: "words that are said to be", text: fill("password for a b is ") },
    { name: "camel case", text: fill(`secret="${"aB".repeat(100)}" `) },
    { name: "addresses", text: fill("://a:") },
    { name: "addresses with long passwords", text: fill(`://a:${"b".repeat(190)} `) },
    { name: "dotted names", text: fill(`${"M".repeat(26)}.abcdef.`) },
    { name: "heads of tables", text: fill("| password |\n|---|\n") },
    { name: "one wide head of a table", text: fill("| password ") },
    { name: "rows of a table", text: fill(`| token |\n|-|\n${"| a1b2.c(3 |\n".repeat(4)}`) },
    { name: "values on lines of their own", text: fill("password:\n\n```\n") },
    { name: "short lines of base64", text: fill("aGVsbG8gd29y\n") },
    { name: "UTF-16 in base64", text: fill("ZwBoAHAAXwBhAGIA") },
    { name: "bold letters in words", text: fill("a**b") },
    { name: "strings that are put together", text: fill(`a"+"`) },
    { name: "headers of keys", text: fill(`-----BEGIN PRIVATE KEY-----\nComment: ${"a".repeat(90)}\n`) },
    { name: "drawn letters in quotes", text: fill(`secret="${"qXzKvJ".repeat(40)}" `) },
    { name: "zero width between letters", text: fill("a\u200b") },
    { name: "joiners between emoji", text: fill("👩\u200d") },
    {
      name: "every printable character",
      text: fill(Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("")),
    },
  ];
  return [...perRule, ...general];
}
