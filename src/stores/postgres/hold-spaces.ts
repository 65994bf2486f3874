import type { Address } from "../../core/store.ts";
import type { Statement, Transaction } from "./database.ts";
import { type Kept, keptOf } from "./kept-document.ts";
import { foldersOf } from "./not-a-document.ts";
import type { Spaces } from "./spaces.ts";

/** Where a document lies in the tables. */
export interface Place {
  readonly space: string;
  readonly path: string;
}

/** The documents of an operation as they are while its spaces are held, and what was last done in each. */
export interface Held {
  readonly time: Date;
  readonly last: ReadonlyMap<string, bigint>;
  /** See `KnownDocuments.doubts`. */
  readonly doubts: ReadonlyMap<string, bigint>;
  readonly kept: ReadonlyMap<string, Kept>;
  /** Of the places asked for, those that are folders. */
  readonly folders: ReadonlySet<string>;
  /** Documents that a place asked for goes through. */
  readonly above: ReadonlySet<string>;
}

/** How a place is called in the sets and maps of an operation. */
export function keyOf(spaces: Spaces, { root, path }: Address): string {
  return keyIn(spaces.of(root), path);
}

export function keyIn(space: string, path: string): string {
  return `${space}\0${path}`;
}

/**
 * Holds the spaces and looks at the documents in one statement. That sees them as they were when it began, and the
 * space as it is once it is held: where somebody was faster in between, it looks again.
 */
export async function holdSpaces(transaction: Transaction, places: readonly Place[]): Promise<Held> {
  const held = [...new Set(places.map(({ space }) => space))].sort();
  const folders = foldersAbove(places);
  const look = lookAt(held, places, folders);
  let [rows = []] = await transaction.run(look);
  if (rows.length < places.length) {
    const create = {
      text: "INSERT INTO recollect.spaces (space) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
      values: [held],
    };
    [, rows = []] = await transaction.run(create, look);
  }
  if (rows.some(({ is_current: isCurrent }) => isCurrent !== true)) [rows = []] = await transaction.run(look);
  const keyed = rows.map((row) => ({ row, key: keyIn(String(row["space"]), String(row["path"])) }));
  return {
    time: rows[0]?.["time"] as Date,
    last: new Map(rows.map(({ space, last_change: last }) => [String(space), BigInt(String(last))])),
    doubts: new Map(rows.map(({ space, doubts }) => [String(space), BigInt(String(doubts))])),
    kept: new Map(keyed.filter(({ row }) => row["rev"] !== null).map(({ row, key }) => [key, keptOf(row)])),
    folders: new Set(keyed.filter(({ row }) => row["is_folder"] === true).map(({ key }) => key)),
    above: new Set(rows.flatMap(({ above }) => (above as readonly unknown[]).map((at) => keyAt(folders, Number(at))))),
  };
}

/** Where a document must not be, each once. */
function foldersAbove(places: readonly Place[]): readonly Place[] {
  const all = places.flatMap(({ space, path }) => foldersOf(path).map((folder) => ({ space, path: folder })));
  return [...new Map(all.map((place) => [keyIn(place.space, place.path), place])).values()];
}

/** As the database counts, from one. */
function keyAt(places: readonly Place[], number: number): string {
  const place = places[number - 1];
  if (!place) throw new RangeError(`There are ${places.length} places, and number ${number} is none of them.`);
  return keyIn(place.space, place.path);
}

/**
 * What lies above is found once for all, and told with the first place. It is looked up one by one: of a join, the
 * database may think that it is best done by reading the documents of everybody.
 */
function lookAt(held: readonly string[], places: readonly Place[], folders: readonly Place[]): Statement {
  return {
    name: "recollect hold",
    // In one order, so that no two wait for each other.
    text: `WITH held AS MATERIALIZED (
        SELECT space, last_change, purges, doubts FROM recollect.spaces WHERE space = ANY($1) ORDER BY space FOR UPDATE)
      SELECT asked.space, asked.path, held.last_change, held.doubts, clock_timestamp() AS time, d.rev, d.modified, c.content,
        (held.last_change, held.purges) = (seen.last_change, seen.purges) AS is_current,
        EXISTS (SELECT 1 FROM recollect.documents b
          WHERE b.space = asked.space AND b.path > asked.path || '/' AND b.path < asked.path || '0') AS is_folder,
        CASE WHEN asked.number = 1 THEN ARRAY(
          SELECT above.number FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS above (space, path, number)
          WHERE (SELECT true FROM recollect.documents a WHERE a.space = above.space AND a.path = above.path))
        ELSE '{}' END AS above
      FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (space, path, number)
      JOIN held ON held.space = asked.space
      LEFT JOIN recollect.spaces seen ON seen.space = asked.space
      LEFT JOIN recollect.documents d ON d.space = asked.space AND d.path = asked.path
      LEFT JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev`,
    values: [
      held,
      places.map(({ space }) => space),
      places.map(({ path }) => path),
      folders.map(({ space }) => space),
      folders.map(({ path }) => path),
    ],
  };
}
