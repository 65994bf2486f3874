import { brokenRule, type ExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import type { Rev } from "../../kernel/revision.ts";
import type {
  BrowseRequest,
  FolderListing,
  ListEntry,
  ListPage,
  ListRequest,
  RecentDocument,
  RecentRequest,
  Resolved,
  StoredDocument,
} from "../../kernel/store.ts";
import type { Database, Row } from "./database.ts";
import { keptOf, toStoredText } from "./kept-document.ts";
import { foldersOf, isFolder, isNoFolder, keyIn } from "./place.ts";
import type { Spaces } from "./spaces.ts";

/** What is there: everything that only looks. */
export function createLook(database: Database, spaces: Spaces) {
  async function rowsOf(space: string, text: string, ...values: unknown[]): Promise<readonly Row[]> {
    const [rows = []] = await database.read([space], { text, values: [space, ...values] });
    return rows;
  }

  /** Where there is none, the same round trip tells whether a folder is there. */
  async function read({ root, path }: Resolved): Promise<StoredDocument | undefined> {
    const space = spaces.of(root);
    const [[row] = []] = await database.read([space], {
      name: "recollect read",
      text: `SELECT d.rev, d.modified, c.content,
          CASE WHEN d.rev IS NULL THEN EXISTS (SELECT 1 FROM recollect.documents b
            WHERE b.space = $1 AND b.path > $2 || '/' AND b.path < $2 || '0') END AS is_folder
        FROM (SELECT $2::text AS path) AS asked
        LEFT JOIN recollect.documents d ON d.space = $1 AND d.path = asked.path
        LEFT JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev`,
      values: [space, path],
    });
    if (row?.["is_folder"] === true) throw isFolder({ root, path });
    const kept = row && row["rev"] !== null ? keptOf(row) : undefined;
    database.known.set(keyIn(space, path), kept);
    return kept && toStoredText(kept, path);
  }

  async function list({ root, folder, after, limit, details }: ListRequest): Promise<ListPage> {
    const [from, to] = folder === undefined ? ["", null] : [`${parseExistingPath(folder)}/`, `${folder}0`];
    const rows = await rowsOf(
      spaces.of(root),
      // Names that begin with a dot are told by "browse" alone, as in a folder.
      `SELECT path, rev, size, is_text, modified FROM recollect.documents
        WHERE space = $1 AND path > $2 AND path > $3 AND ($4::text IS NULL OR path < $4) AND path !~ '(^|/)[.]'
        ORDER BY path LIMIT $5`,
      from,
      // It comes back from a caller. No path holds a NUL, and no text in the database can.
      after?.split("\0", 1)[0] ?? "",
      to,
      limit + 1,
    );
    if (rows.length === 0 && folder !== undefined) await assertNoDocument(root, folder);
    const entries = rows.slice(0, limit).map((row) => toEntry(row, root, details === true));
    return { entries, next: rows.length > limit ? entries.at(-1)?.path : undefined };
  }

  async function browse({ root, folder }: BrowseRequest): Promise<FolderListing | undefined> {
    const prefix = folder === undefined ? "" : `${parseExistingPath(folder)}/`;
    if (folder !== undefined) await assertNoDocument(root, folder);
    const rows = await rowsOf(
      spaces.of(root),
      `SELECT DISTINCT $2 || split_part(below, '/', 1) AS path, strpos(below, '/') > 0 AS is_folder
        FROM (SELECT substr(path, length($2) + 1) AS below FROM recollect.documents
          WHERE space = $1 AND path >= $2 AND ($3::text IS NULL OR path < $3)) AS inside
        ORDER BY path`,
      prefix,
      folder === undefined ? null : `${folder}0`,
    );
    if (rows.length === 0 && folder !== undefined) return undefined;
    const paths = (isFolder: boolean) =>
      rows.filter(({ is_folder: is }) => is === isFolder).map(({ path }) => path as ExistingPath);
    return { folders: paths(true), files: paths(false) };
  }

  /** Neither the path itself nor what it goes through. */
  async function assertNoDocument(root: string, folder: ExistingPath): Promise<void> {
    const [row] = await rowsOf(
      spaces.of(root),
      "SELECT path FROM recollect.documents WHERE space = $1 AND path = ANY($2) ORDER BY path LIMIT 1",
      [...foldersOf(folder), folder],
    );
    if (row) throw isNoFolder({ root, path: folder }, String(row["path"]));
  }

  async function recent({ root, limit, folders }: RecentRequest): Promise<readonly RecentDocument[]> {
    const rows = await rowsOf(
      spaces.of(root),
      // From the last change backwards, and of each document the one that made it what it is.
      `SELECT d.path, d.modified FROM recollect.changes c
        JOIN recollect.documents d ON d.space = c.space AND d.path = c.path AND d.change = c.change
        WHERE c.space = $1 AND ($2::text[] IS NULL OR coalesce(substring(c.path FROM '^(.*)/[^/]*$'), '') = ANY($2))
        ORDER BY c.change DESC LIMIT $3`,
      folders ?? null,
      limit,
    );
    return rows.map(({ path, modified }) => ({
      path: path as ExistingPath,
      time: (modified as Date).toISOString(),
    }));
  }

  return { read, list, browse, recent };
}

function toEntry({ path, rev, size, is_text, modified }: Row, root: string, withDetails: boolean): ListEntry {
  const remark = withDetails && is_text === false ? "not-utf8" : brokenRule(String(path));
  return {
    path: path as ExistingPath,
    owner: root,
    ...(remark === undefined ? {} : { remark }),
    ...(withDetails
      ? { details: { size: Number(size), modified: (modified as Date).getTime(), rev: rev as Rev } }
      : {}),
  };
}
