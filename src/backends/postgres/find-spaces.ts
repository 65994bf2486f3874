import type { Database, Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** The names of the spaces directly below this one in which something was written. */
export async function spacesBelow(database: Database, base: string): Promise<readonly string[]> {
  const below = `${base}/`;
  const [, rows = []] = await look(
    database,
    [],
    { text: "SELECT set_config('recollect.below', $1, true)", values: [below] },
    {
      // The policy alone would look at the spaces of everybody.
      text: `SELECT name FROM (
          SELECT substr(space, length($1) + 1) AS name FROM recollect.spaces
          WHERE space > $1 AND space < $2 AND last_change > 0 ORDER BY space) AS below
        WHERE strpos(name, '/') = 0`,
      values: [below, `${base}0`],
    },
  );
  return rows.map(({ name }) => String(name));
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
