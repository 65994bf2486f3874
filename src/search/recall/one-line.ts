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

/**
 * Words that programs put around what a model is told. A note that holds one could end the part it is shown in and
 * speak in another's name.
 */
const names =
  "system|system-reminder|system_prompt|assistant|human|user|function_calls|function_results|tool_result|tool_use|antml:[a-z_]+";
/** With attributes too, or cut off behind the name. */
const frames = new RegExp(`<(?=/?(?:${names})(?:[\\s/>…]|$)|\\|[a-z_]{2,40}\\|>)`, "gi");

/** The text with the brackets of such words written as HTML writes them. */
export function withoutFrames(text: string): string {
  return text.replaceAll(frames, "&lt;");
}
