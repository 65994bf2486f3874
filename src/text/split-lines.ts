/** The lines of a text, each with its own line end; the last may have none. Joined they are the text again. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at) + 1 || text.length;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** The text with one kind of line end, which is also the only one that a text area knows. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
