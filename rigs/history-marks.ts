/** What a worker says of its recorder, on lines between those of its revisions. */
export const recorderMarks = { begun: "recording", recorded: "recorded", idle: "nothing recorded" } as const;

const marks: ReadonlySet<string> = new Set(Object.values(recorderMarks));

export function isRecorderMark(line: string): boolean {
  return marks.has(line);
}
