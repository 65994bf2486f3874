import { counted, onOneLine, withoutFrames } from "../app.ts";
import { estimateTokens } from "./token-budget.ts";

/** What says that a record was cut. */
const cutSignTokens = 12;
/** A shorter beginning of a line says nothing. */
const leastTokens = 20;

/** The frame's own words: a record that holds them could end its quotation, or begin one. */
const ownWords = /\b(from\s+recollect|end\s+of\s+records|recollect\s*:)/gi;
/** Other marks of the end of a line, behind which a text would stand outside of its quotation. */
const lineEnds = /\r\n?|[\v\f\x85\p{Zl}\p{Zp}]/gu;
const unseen = /[^\P{Cc}\t\n]|\p{Bidi_Control}|[\u{200b}\u{2060}\u{feff}\u{e0000}-\u{e007f}]/gu;

/** What others wrote, on one line, without words that could be taken for the frame's. */
export function plain(text: string, most: number): string {
  return withoutOwnWords(onOneLine(text.replaceAll(lineEnds, " ").replaceAll(unseen, ""), most));
}

function withoutOwnWords(text: string): string {
  return text.replaceAll(ownWords, (words) => words.replace(/\s*:|\s+/, "_"));
}

/** Quoted line by line as far as there is room, from the beginning; undefined where that is too little to be of use. */
export function quote(text: string, room: number): string | undefined {
  const seen = text.toWellFormed().replaceAll(lineEnds, "\n").replaceAll(unseen, "");
  const lines = withoutOwnWords(withoutFrames(seen))
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line, at, all) => line !== "" || (all[at - 1] ?? "") !== "");
  const kept: string[] = [];
  let left = room - cutSignTokens;
  for (const line of lines) {
    const quoted = line === "" ? ">" : `> ${line}`;
    const cost = estimateTokens(quoted) + 1;
    if (cost > left) {
      const part = beginningOf(quoted, left);
      if (part !== undefined) kept.push(part);
      break;
    }
    kept.push(quoted);
    left -= cost;
  }
  while (kept.at(-1) === ">") kept.pop();
  if (kept.length === 0) return undefined;
  const cut = lines.slice(kept.length).filter((line) => line !== "").length;
  return cut === 0 ? kept.join("\n") : `${kept.join("\n")}\n(cut, ${counted(cut, "more line")})`;
}

/** As many words of a line as there is room for; undefined where they are too few to say anything. */
function beginningOf(line: string, room: number): string | undefined {
  if (room < leastTokens) return undefined;
  const words = line.split(/(?<=\s)/);
  let [count, left] = [0, room - 1];
  for (const word of words) {
    left -= estimateTokens(word);
    if (left < 0) break;
    count += 1;
  }
  return count === 0 ? undefined : `${words.slice(0, count).join("").trimEnd()}…`;
}
