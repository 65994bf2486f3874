import type { Database } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";
import { type Kept, keptOf } from "./kept-document.ts";

/** A document of a space as it is, also where it is no text; undefined where there is none. */
export async function readSpaceBytes(database: Database, space: string, path: string): Promise<Kept | undefined> {
  try {
    const [[row] = []] = await database.read([space], {
      text: `SELECT d.rev, d.modified, c.content FROM recollect.documents d
        JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev WHERE d.space = $1 AND d.path = $2`,
      values: [space, path],
    });
    return row && keptOf(row);
  } catch (error) {
    throw toDatabaseError(error, `read “${path}”`);
  }
}
