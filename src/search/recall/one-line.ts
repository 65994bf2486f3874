import { withoutFrames } from "./without-frames.ts";

/** What ends a line, or is a command to a terminal; then what turns a line round, and letters that nobody sees. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const unseen = /[\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu;

/** What others wrote, within a line of ours: no line breaks, nothing that speaks as another, and not for ever. */
export function onOneLine(text: string, most: number): string {
  const plain = text.toWellFormed().replaceAll(unseen, "").replaceAll(breaks, " ").trim();
  // A character has two units at most: no long text is taken apart.
  const characters = [...plain.slice(0, 2 * most + 1)];
  return withoutFrames(characters.length > most ? `${characters.slice(0, most).join("")}…` : plain);
}
