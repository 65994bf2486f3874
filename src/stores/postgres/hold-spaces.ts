import type { Address } from "../../core/store.ts";
import type { Statement, Transaction } from "./database.ts";
import { type Kept, keptOf } from "./kept-document.ts";
import { foldersOf } from "./not-a-document.ts";
import type { Spaces } from "./spaces.ts";

/** The documents of an operation as they are while its spaces are held, and what was last done in each. */
export interface Held {
  readonly time: Date;
  readonly last: ReadonlyMap<string, bigint>;
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

export async function holdSpaces(
  transaction: Transaction,
  held: readonly string[],
  named: readonly Address[],
  spaces: Spaces,
): Promise<Held> {
  // In one order, so that no two wait for each other.
  const lock = {
    text: "SELECT space, last_change FROM recollect.spaces WHERE space = ANY($1) ORDER BY space FOR UPDATE",
    values: [held],
  };
  const looks = [lookAt(named, spaces), lookAround(named, spaces), { text: "SELECT clock_timestamp() AS time" }];
  let [locked = [], documents = [], around = [], clock = []] = await transaction.run(lock, ...looks);
  if (locked.length < held.length) {
    const create = {
      text: "INSERT INTO recollect.spaces (space) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
      values: [held],
    };
    [, locked = [], documents = [], around = [], clock = []] = await transaction.run(create, lock, ...looks);
  }
  const keysOf = (isFolder: boolean) =>
    new Set(
      around
        .filter((row) => row["is_folder"] === isFolder)
        .map(({ space, path }) => keyIn(String(space), String(path))),
    );
  return {
    time: clock[0]?.["time"] as Date,
    last: new Map(locked.map(({ space, last_change: last }) => [String(space), BigInt(String(last))])),
    kept: new Map(documents.map((row) => [keyIn(String(row["space"]), String(row["path"])), keptOf(row)])),
    folders: keysOf(true),
    above: keysOf(false),
  };
}

function lookAt(named: readonly Address[], spaces: Spaces): Statement {
  return {
    text: `SELECT d.space, d.path, d.rev, d.modified, c.content
      FROM unnest($1::text[], $2::text[]) AS asked (space, path)
      JOIN recollect.documents d ON d.space = asked.space AND d.path = asked.path
      JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev`,
    values: [named.map(({ root }) => spaces.of(root)), named.map(({ path }) => path)],
  };
}

/** Of the paths asked for, those that are folders; and those above them that are documents. */
function lookAround(named: readonly Address[], spaces: Spaces): Statement {
  const above = named.flatMap(({ root, path }) => foldersOf(path).map((folder) => [spaces.of(root), folder] as const));
  return {
    text: `SELECT space, path, true AS is_folder FROM unnest($1::text[], $2::text[]) AS asked (space, path)
        WHERE EXISTS (SELECT 1 FROM recollect.documents d
          WHERE d.space = asked.space AND d.path > asked.path || '/' AND d.path < asked.path || '0')
      UNION ALL
      SELECT d.space, d.path, false FROM unnest($3::text[], $4::text[]) AS above (space, path)
        JOIN recollect.documents d ON d.space = above.space AND d.path = above.path`,
    values: [
      named.map(({ root }) => spaces.of(root)),
      named.map(({ path }) => path),
      above.map(([space]) => space),
      above.map(([, folder]) => folder),
    ],
  };
}
