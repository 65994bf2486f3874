import type { Source } from "./source.ts";

/**
 * Asks a source about each path: one after the other, or, where it is best asked for many at once, so many at the same
 * moment, which it answers together.
 */
export async function askSource<Answer>(
  { readsAtOnce }: Pick<Source, "readsAtOnce">,
  paths: readonly string[],
  ask: (path: string) => Promise<Answer>,
  most = paths.length,
): Promise<Answer[]> {
  const atOnce = readsAtOnce === undefined ? 1 : Math.max(1, most);
  const answers: Answer[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    answers.push(...(await Promise.all(paths.slice(from, from + atOnce).map(ask))));
  }
  return answers;
}
