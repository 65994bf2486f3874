/**
 * Words that programs put around what a model is told. A note that holds one could end the part it is shown in and
 * speak in another's name, so that the bracket is written as HTML writes it.
 */
const frames =
  /<(?=\/?(?:system|system-reminder|system_prompt|assistant|human|user|function_calls|function_results|tool_result|tool_use|antml:[a-z_]+)\s*>|\|[a-z_]{2,40}\|>)/gi;

/** A unit's text as it is embedded: without its heading, which stands above it, and without what cannot be shown. */
export function toPieceText(text: string, title: string): string {
  const lines = text
    .toWellFormed()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll(/[^\P{Cc}\t]|\p{Bidi_Control}/gu, "").trimEnd());
  const [first, ...rest] = trimmed(lines);
  const body = trimmed(isHeading(first, title) ? rest : first === undefined ? [] : [first, ...rest]);
  // The rule that ends an entry.
  const shown = /^-{3,}$/.test(body.at(-1) ?? "") ? trimmed(body.slice(0, -1)) : body;
  const once = shown.filter((line, at) => line !== "" || shown[at - 1] !== "");
  return (once.join("\n") || onOneLine(title, 200)).replaceAll(frames, "&lt;");
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

function isHeading(line: string | undefined, title: string): boolean {
  return line !== undefined && /^ {0,3}#{1,6}[ \t]/.test(line) && title !== "" && line.includes(title);
}

/** What others named, within a line of ours. */
export function onOneLine(text: string, most: number): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, " ")
    .trim();
  const characters = [...plain.slice(0, 2 * most)];
  const short = characters.length > most ? `${characters.slice(0, most).join("")}…` : plain.slice(0, 2 * most);
  return short.replaceAll(frames, "&lt;");
}
