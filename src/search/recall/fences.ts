const fence = /^[ \t]*(`{3,}|~{3,})([^\n]*)$/;

/** The fence that is still open at the end of a text, as the line that opens it; undefined where there is none. */
export function openFence(text: string): string | undefined {
  let open: { readonly mark: string; readonly line: string } | undefined;
  for (const line of text.split("\n")) {
    const [, mark = "", rest = ""] = fence.exec(line) ?? [];
    if (mark === "") continue;
    if (open === undefined) {
      // A row of backticks with another behind it is code within a line.
      if (!mark.startsWith("`") || !rest.includes("`")) open = { mark, line };
    } else if (mark.startsWith(open.mark) && rest.trim() === "") open = undefined;
  }
  return open?.line;
}

/** The text with its open fence closed. */
export function withClosedFence(text: string): string {
  const line = openFence(text);
  if (line === undefined) return text;
  const [, mark = "```"] = fence.exec(line) ?? [];
  return `${text}\n${mark}`;
}

/** A text that was cut, with a sign of it where it breaks no code, and no fence left open or empty. */
export function withCutSign(cut: string): string {
  const text = withoutEmptyFence(cut.trimEnd());
  const closed = withClosedFence(text);
  const endsInFence = closed !== text || fence.test(text.slice(text.lastIndexOf("\n") + 1));
  return endsInFence ? `${closed}\n…` : `${closed}…`;
}

function withoutEmptyFence(text: string): string {
  const start = text.lastIndexOf("\n");
  if (start === -1 || openFence(text) !== text.slice(start + 1)) return text;
  // Above it, the line may be code of a fence before: then it is no opening one.
  return openFence(text.slice(0, start)) === undefined ? text.slice(0, start).trimEnd() : text;
}
