/** What a person or an agent calls a note, a lesson or a part of one (USE-3). */
export interface RecordName {
  readonly name: string;
  /** Of a section or a lesson, the outermost first. */
  readonly titles: readonly string[];
  /** Counted from 1, both included, as search prints them and editors show them. */
  readonly lines: { readonly from: number; readonly to: number } | undefined;
}

/** Stands between a name and the title of a part. */
export const titleSign = "›";
/** What stands in parentheses behind a printed name, which agents copy along. */
const remarks = /\s\((?:note|lesson)\b[^()]*\)$/;
const linesAtEnd = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/;

/** `ci/cache`, `ci/cache:12-20`, `ci/cache › Stale cache`, with or without `mem:` before it and `.md` behind it. */
export function parseRecordName(given: string): RecordName {
  const [first = "", ...titles] = given.replace(remarks, "").split(` ${titleSign} `);
  const [, name = first, from, to = from] = linesAtEnd.exec(first) ?? [];
  const lines = from === undefined || Number(from) < 1 ? undefined : { from: Number(from), to: Number(to) };
  return { name, titles, lines };
}
