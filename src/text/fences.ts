// None of these can backtrack: a clone may bring lines of a megabyte.
const opening = /^ {0,3}(`{3,}|~{3,})/;
const behindLabel = /^\*\*[^*:\n]{1,40}:\*\*[ \t]+(`{3,}|~{3,})/;
const closing = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** The marks of the code fence that a line opens. */
export function fenceOpenedBy(line: string): string | undefined {
  return marksOf(line, opening.exec(line));
}

/** In a topic one may begin behind a field's name as well: Markdown would not have it, but it is what people write. */
export function topicFenceOpenedBy(line: string): string | undefined {
  return marksOf(line, behindLabel.exec(line) ?? opening.exec(line));
}

function marksOf(line: string, match: RegExpExecArray | null): string | undefined {
  const marks = match?.[1];
  // The info string of a backtick fence holds no backtick: then it is code within a line.
  return marks?.startsWith("`") && line.includes("`", match?.[0].length) ? undefined : marks;
}

/** The marks of a line that can close a fence, one of the same kind and no longer. */
export function fenceClosedBy(line: string): string | undefined {
  return closing.exec(line)?.[1];
}

export function closesFence(line: string, marks: string): boolean {
  return fenceClosedBy(line)?.startsWith(marks) ?? false;
}
