import { isUtf8 } from "node:buffer";
import type { Statement } from "./database.ts";

/** What a revision is. */
export interface ContentRow {
  readonly rev: string;
  readonly bytes: Buffer;
}

/** What a document is. */
export interface DocumentRow {
  readonly path: string;
  readonly rev: string;
  readonly size: number;
  readonly isText: boolean;
  readonly modified: Date | string;
  readonly change: bigint | number;
}

/** Who did it, and why. */
interface Stamped {
  readonly author: string;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
}

/** What happened to a document. */
export interface ChangeRow {
  readonly change: bigint | number;
  readonly operation: string;
  readonly path: string;
  readonly kind: string;
  readonly rev?: string | undefined;
  readonly was?: string | undefined;
  /** The other end of a move. */
  readonly other?: { readonly space: string; readonly path: string } | undefined;
  readonly time: Date | string;
  readonly stamp: Stamped;
  readonly batch?: string | undefined;
}

/** Whatever was at the same path before. */
export const replacing = `ON CONFLICT (space, path) DO UPDATE SET rev = excluded.rev, size = excluded.size,
  is_text = excluded.is_text, modified = excluded.modified, change = excluded.change`;

export const columnsOfChanges =
  "space, change, path, kind, rev, was, other_space, other_path, time, author, run, reason, batch, operation";

/**
 * When a change is made by who holds the space: never before the last one there, where the clock of another server was
 * ahead, unless that was far off. In milliseconds: more does not survive a round trip.
 */
export function timeAfter(last: string): string {
  return `date_trunc('milliseconds', greatest(clock_timestamp(),
    CASE WHEN ${last} < clock_timestamp() + interval '1 hour' THEN ${last} END))`;
}

export function makeSpaces(spaces: readonly string[]): Statement {
  return {
    name: "recollect make spaces",
    text: "INSERT INTO recollect.spaces (space) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
    values: [spaces],
  };
}

/** Once for all documents and times that have them. */
export function insertContents(space: string, rows: readonly ContentRow[]): readonly Statement[] {
  return statementFor("insert contents", rows, {
    text: `INSERT INTO recollect.contents (space, rev, content)
      SELECT $1, made.* FROM unnest($2::text[], $3::bytea[]) AS made ON CONFLICT DO NOTHING`,
    values: [space, rows.map(({ rev }) => rev), rows.map(({ bytes }) => bytes)],
  });
}

export function removeDocuments(space: string, paths: readonly string[]): readonly Statement[] {
  return statementFor("remove documents", paths, {
    text: "DELETE FROM recollect.documents WHERE space = $1 AND path = ANY($2)",
    values: [space, paths],
  });
}

export function putDocuments(space: string, rows: readonly DocumentRow[]): readonly Statement[] {
  const column = (of: (row: DocumentRow) => unknown) => rows.map(of);
  return statementFor("put documents", rows, {
    text: `INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
      SELECT $1, made.* FROM unnest($2::text[], $3::text[], $4::integer[], $5::boolean[], $6::timestamptz[],
        $7::bigint[]) AS made ${replacing}`,
    values: [
      space,
      column(({ path }) => path),
      column(({ rev }) => rev),
      column(({ size }) => size),
      column(({ isText }) => isText),
      column(({ modified }) => modified),
      column(({ change }) => change),
    ],
  });
}

export function insertChanges(space: string, rows: readonly ChangeRow[]): readonly Statement[] {
  const column = (of: (row: ChangeRow) => unknown) => rows.map(of);
  return statementFor("insert changes", rows, {
    text: `INSERT INTO recollect.changes (${columnsOfChanges})
      SELECT $1, made.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::timestamptz[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]) AS made`,
    values: [
      space,
      column(({ change }) => change),
      column(({ path }) => path),
      column(({ kind }) => kind),
      column(({ rev }) => rev),
      column(({ was }) => was),
      column(({ other }) => other?.space),
      column(({ other }) => other?.path),
      column(({ time }) => time),
      ...stampColumns(rows.map(({ stamp }) => stamp)),
      column(({ batch }) => batch),
      column(({ operation }) => operation),
    ],
  });
}

/** Nothing where there is nothing to write. A few rows are written all the time, and fast: see `Statement.name`. */
function statementFor(what: string, rows: readonly unknown[], statement: Statement): readonly Statement[] {
  if (rows.length === 0) return [];
  return [rows.length > fewRows ? statement : { ...statement, name: `recollect ${what}` }];
}

const fewRows = 32;

/** Of authors, runs and reasons. */
export function stampColumns(stamps: readonly Stamped[]): readonly (readonly (string | undefined)[])[] {
  return [
    stamps.map(({ author }) => toText(author)),
    stamps.map(({ run }) => toText(run)),
    stamps.map(({ reason }) => toText(reason)),
  ];
}

/** A text in a table cannot hold NUL. */
export function toText(text: string | undefined): string | undefined {
  return text?.replaceAll("\0", "");
}

export function sizeAndText(bytes: Buffer): Pick<DocumentRow, "size" | "isText"> {
  return { size: bytes.length, isText: isUtf8(bytes) };
}
