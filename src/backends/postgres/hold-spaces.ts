import type { Statement, Transaction } from "./database.ts";
import { makeSpaces, timeAfter } from "./insert-rows.ts";
import { type Kept, keptOf } from "./kept-document.ts";
import { foldersOf, keyIn, type Place } from "./place.ts";

/** The documents of an operation as they are while its spaces are held, and what was last done in each. */
export interface Held {
  /** Of what is done now: not before anything that was done there. */
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

/**
 * Holds the spaces and looks at the documents in one statement. That sees them as they were when it began, and the
 * space as it is once it is held: where somebody was faster in between, it looks again. What is to be done before goes
 * in the same message.
 */
export async function holdSpaces(
  transaction: Transaction,
  asked: readonly Place[],
  before: readonly Statement[] = [],
): Promise<Held> {
  const places = differentOf(asked);
  const spaces = [...new Set(places.map(({ space }) => space))].sort();
  const folders = differentOf(
    places.flatMap(({ space, path }) => foldersOf(path).map((folder) => ({ space, path: folder }))),
  );
  const look = async (...first: readonly Statement[]) =>
    (await transaction.run(...first, lookAt(spaces, places, folders))).at(-1) ?? [];
  let rows = await look(...before);
  if (rows.length < places.length) rows = await look(makeSpaces(spaces));
  if (rows.some(({ is_current: isCurrent }) => isCurrent !== true)) rows = await look();
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

function differentOf(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [keyIn(place.space, place.path), place])).values()];
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
        SELECT space, last_change, last_time, purges, doubts FROM recollect.spaces
        WHERE space = ANY($1) ORDER BY space FOR UPDATE),
      timed AS MATERIALIZED (SELECT max(${timeAfter("held.last_time")}) AS time FROM held)
      SELECT asked.space, asked.path, held.last_change, held.doubts, timed.time, d.rev, d.modified, c.content,
        (held.last_change, held.purges) = (seen.last_change, seen.purges) AS is_current,
        EXISTS (SELECT 1 FROM recollect.documents b
          WHERE b.space = asked.space AND b.path > asked.path || '/' AND b.path < asked.path || '0') AS is_folder,
        CASE WHEN asked.number = 1 THEN ARRAY(
          SELECT above.number FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS above (space, path, number)
          WHERE (SELECT true FROM recollect.documents a WHERE a.space = above.space AND a.path = above.path))
        ELSE '{}' END AS above
      FROM timed, unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (space, path, number)
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
