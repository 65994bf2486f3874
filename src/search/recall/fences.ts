import { closesFence, fenceOpenedBy } from "../../text/markdown-lines.ts";

/** The fence that is still open at the end of a text, as the line that opens it; undefined where there is none. */
export function openFence(text: string): string | undefined {
  let open: { readonly marks: string; readonly line: string } | undefined;
  for (const line of text.split("\n")) {
    if (open === undefined) {
      const marks = fenceOpenedBy(line);
      if (marks !== undefined) open = { marks, line };
    } else if (closesFence(line, open.marks)) open = undefined;
  }
  return open?.line;
}

/** The text with its open fence closed. */
export function withClosedFence(text: string): string {
  const line = openFence(text);
  return line === undefined ? text : `${text}\n${fenceOpenedBy(line) ?? ""}`;
}

/** A text that was cut, with a sign of it where it breaks no code, and no fence left open or empty. */
export function withCutSign(cut: string): string {
  const text = withoutEmptyFence(cut.trimEnd());
  const closed = withClosedFence(text);
  const endsInFence = closed !== text || fenceOpenedBy(text.slice(text.lastIndexOf("\n") + 1)) !== undefined;
  return endsInFence ? `${closed}\n…` : `${closed}…`;
}

function withoutEmptyFence(text: string): string {
  const start = text.lastIndexOf("\n");
  if (start === -1 || openFence(text) !== text.slice(start + 1)) return text;
  // Above it, the line may be code of a fence before: then it is no opening one.
  return openFence(text.slice(0, start)) === undefined ? text.slice(0, start).trimEnd() : text;
}
