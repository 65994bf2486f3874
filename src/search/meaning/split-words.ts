export interface WordRules {
  /** Makes `get user name` of `getUserName`. */
  readonly splitsCamelCase: boolean;
  readonly lowerCases: boolean;
}

const nonAscii = /[^\0-\x7f]/;
const camelBorder = /([a-z0-9])([A-Z])/g;
const control = /[^\P{C}\t\n\r]|\ufffd/gu;
// The ranges that BERT calls Chinese characters: no kana, no hangul.
const ideograph =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const nonspacingMark = /\p{Mn}/gu;
const asciiPart = /[!-/:-@[-`{-~]|[^!-/:-@[-`{-~]+/g;
const unicodePart = /[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}]+/gu;

/** The text in which words are looked for: what is not ASCII is cleaned of what the vocabulary does not tell apart. */
export function normaliseText(text: string, { splitsCamelCase, lowerCases }: WordRules): string {
  if (!nonAscii.test(text)) return text;
  const split = splitsCamelCase ? text.replace(camelBorder, "$1 $2") : text;
  const spaced = (lowerCases ? split.toLowerCase() : split).replace(control, "").replace(ideograph, " $& ");
  return lowerCases ? spaced.normalize("NFD").replace(nonspacingMark, "") : spaced;
}

/** The words of one run of normalised text without white space; each punctuation character is a word. */
export function splitRun(run: string, { splitsCamelCase, lowerCases }: WordRules): readonly string[] {
  const split = splitsCamelCase ? run.replace(camelBorder, "$1 $2") : run;
  const words: string[] = [];
  for (const part of (lowerCases ? split.toLowerCase() : split).split(" ")) {
    words.push(...(part.match(nonAscii.test(part) ? unicodePart : asciiPart) ?? []));
  }
  return words;
}
