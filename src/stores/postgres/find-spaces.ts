import type { Database, Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** The names of the spaces directly below this one in which something was written. */
export async function spacesBelow(database: Database, base: string): Promise<readonly string[]> {
  const below = `${base}/`;
  const [, rows = []] = await look(
    database,
    [],
    { text: "SELECT set_config('recollect.below', $1, true)", values: [below] },
    { text: "SELECT space FROM recollect.spaces WHERE last_change > 0 ORDER BY space" },
  );
  return rows.map(({ space }) => String(space).slice(below.length)).filter((name) => !name.includes("/"));
}

export async function hasChanges(database: Database, space: string): Promise<boolean> {
  const text = "SELECT 1 FROM recollect.spaces WHERE space = $1 AND last_change > 0";
  const [rows = []] = await look(database, [space], { text, values: [space] });
  return rows.length > 0;
}

async function look(database: Database, spaces: readonly string[], ...statements: readonly Statement[]) {
  try {
    return await database.read(spaces, ...statements);
  } catch (error) {
    throw toDatabaseError(error, "look for spaces");
  }
}
