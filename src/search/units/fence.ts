/** Where a code fence begins and ends: nothing in it is a heading, and it is not cut. */
export interface Fence {
  readonly start: number;
  readonly end: number;
}

const behindLabel = /^\*\*[^*:\n]{1,40}:\*\*[ \t]+(`{3,}|~{3,})/;
const opening = /^ {0,3}(`{3,}|~{3,})/;
const closing = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** The marks of the fence that a line opens. In a topic it may begin behind the name of a field. */
export function fenceOpenedBy(line: string, isTopic: boolean): string | undefined {
  const match = (isTopic ? behindLabel.exec(line) : null) ?? opening.exec(line);
  const run = match?.[1];
  // The info string of a backtick fence holds no backtick: then it is code within a line.
  return run?.startsWith("`") && line.includes("`", match?.[0].length) ? undefined : run;
}

export function closesFence(line: string, marks: string): boolean {
  return closing.exec(line)?.[1]?.startsWith(marks) ?? false;
}
