import type { ValueSighting } from "../../kernel/backend.ts";
import type { PurgeForms } from "../../kernel/purge-forms.ts";
import type { Database, Row, Statement } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** A content that holds a value. */
export interface HoldingContent {
  readonly rev: string;
  readonly size: number;
}

type Read = (...statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

/** So much is looked through by one statement. */
const contentsAtOnce = 200;

/** Where a value stands in a space, and in what it was. Changes nothing. */
export async function findValue(
  database: Pick<Database, "read">,
  space: string,
  forms: PurgeForms,
): Promise<ValueSighting[]> {
  try {
    const read: Read = (...statements) => database.read([space], ...statements);
    const holding = await findHolding(read, space, forms);
    return await sightings(read, space, forms, holding);
  } catch (error) {
    throw toDatabaseError(error, "look for a value");
  }
}

/**
 * Every content that holds it. The database looks for it: nothing of them leaves it. One statement tells of a page also
 * where it ends: to another one, what is written meanwhile would move that end, past contents that nobody looked at.
 */
export async function findHolding(read: Read, space: string, forms: PurgeForms): Promise<HoldingContent[]> {
  const found: HoldingContent[] = [];
  for (let after = ""; ; ) {
    const [page = []] = await read({
      text: `SELECT rev, octet_length(content) AS size, ${holds("content", 4)} AS is_held FROM (
          SELECT rev, content FROM recollect.contents WHERE space = $1 AND rev > $2 ORDER BY rev LIMIT $3) AS page
        ORDER BY rev`,
      values: [space, after, contentsAtOnce, forms.all],
    });
    found.push(...page.filter(({ is_held: isHeld }) => isHeld === true).map(toHolding));
    const last = page.at(-1);
    if (!last) return found;
    after = String(last["rev"]);
  }
}

/** Of what was written since a change. */
export function holdingSince(space: string, change: bigint, forms: PurgeForms): Statement {
  return {
    text: `SELECT k.rev, octet_length(k.content) AS size FROM recollect.contents k
      WHERE k.space = $1 AND k.rev = ANY(ARRAY(SELECT rev FROM recollect.changes WHERE space = $1 AND change > $2))
        AND ${holds("k.content", 3)}`,
    values: [space, change, forms.all],
  };
}

export function toHolding({ rev, size }: Row): HoldingContent {
  return { rev: String(rev), size: Number(size) };
}

/** That a content holds any of the forms in `$at`. */
function holds(column: string, at: number): string {
  return `EXISTS (SELECT 1 FROM unnest($${at}::bytea[]) AS form WHERE position(form IN ${column}) > 0)`;
}

/** The same for a text. */
export function says(column: string, at: number): string {
  return `EXISTS (SELECT 1 FROM unnest($${at}::text[]) AS form WHERE strpos(${column}, form) > 0)`;
}

/** No text in the database holds a NUL. */
export function textForms(forms: PurgeForms): string[] {
  return forms.all.map((form) => form.toString("utf8")).filter((text) => !text.includes("\0"));
}

async function sightings(
  read: Read,
  space: string,
  forms: PurgeForms,
  holding: readonly HoldingContent[],
): Promise<ValueSighting[]> {
  const values = [space, holding.map(({ rev }) => rev), textForms(forms)];
  const [current = [], past = []] = await read(
    {
      text: `SELECT path, rev = ANY($2) AS is_held FROM recollect.documents
        WHERE space = $1 AND (rev = ANY($2) OR ${says("path", 3)})`,
      values,
    },
    {
      text: `SELECT path, bool_or(rev = ANY($2)) AS is_held, count(*) AS revisions FROM recollect.changes
        WHERE space = $1 AND rev IS NOT NULL AND (rev = ANY($2) OR ${says("path", 3)}) GROUP BY path`,
      values,
    },
  );
  const found = new Map<string, ValueSighting>();
  // Other forms than those of names may stand in a name, and stay there.
  const isHeld = ({ path, is_held: isIn }: Row) => isIn === true || forms.cleanPath(String(path)) !== path;
  for (const row of past.filter(isHeld)) {
    const path = forms.cleanPath(String(row["path"]));
    const revisions = Number(row["revisions"]) + (found.get(path)?.revisions ?? 0);
    found.set(path, { path, isCurrent: false, revisions });
  }
  for (const row of current.filter(isHeld)) {
    const path = forms.cleanPath(String(row["path"]));
    found.set(path, { path, revisions: found.get(path)?.revisions ?? 0, isCurrent: true });
  }
  return [...found.values()];
}
