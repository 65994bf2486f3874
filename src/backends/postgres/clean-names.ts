import type { PurgeForms } from "../../kernel/purge-forms.ts";
import type { Transaction } from "./database.ts";
import { says, textForms } from "./find-value.ts";

/**
 * The paths of a space that hold a value, now or in what was, and what they are called without it. Each gets a name that
 * nothing has or had: what became of two documents must stay apart.
 */
export async function cleanNames(
  transaction: Transaction,
  space: string,
  forms: PurgeForms,
): Promise<ReadonlyMap<string, string>> {
  const [rows = []] = await transaction.run({
    text: `SELECT path FROM recollect.documents WHERE space = $1 AND ${says("path", 2)}
      UNION SELECT path FROM recollect.changes WHERE space = $1 AND ${says("path", 2)}
      UNION SELECT other_path FROM recollect.changes WHERE space = $1 AND other_space = $1 AND ${says("other_path", 2)}`,
    values: [space, textForms(forms)],
  });
  const names = new Map<string, string>();
  const given = new Set<string>();
  let left = rows.map(({ path }) => String(path)).filter((path) => forms.cleanPath(path) !== path);
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const nameOf = (path: string) => numbered(forms.cleanPath(path), attempt);
    const taken = await takenOf(transaction, space, left.map(nameOf));
    for (const path of left) {
      const name = nameOf(path);
      if (taken.has(name) || given.has(name)) continue;
      given.add(name);
      names.set(path, name);
    }
    left = left.filter((path) => !names.has(path));
  }
  return names;
}

async function takenOf(transaction: Transaction, space: string, names: readonly string[]): Promise<Set<string>> {
  const [rows = []] = await transaction.run({
    text: `SELECT path AS name FROM recollect.changes WHERE space = $1 AND path = ANY($2)
      UNION SELECT path FROM recollect.documents WHERE space = $1 AND path = ANY($2)
      UNION SELECT name FROM unnest($2::text[], $3::text[], $4::text[]) AS asked (name, below, beyond)
        WHERE (SELECT true FROM recollect.documents d
          WHERE d.space = $1 AND d.path > below AND d.path < beyond LIMIT 1)`,
    values: [space, names, names.map((name) => `${name}/`), names.map((name) => `${name}0`)],
  });
  return new Set(rows.map(({ name }) => String(name)));
}

/** `notes.md` → `notes-2.md` */
function numbered(path: string, attempt: number): string {
  return attempt === 1 ? path : path.replace(/(\.[^./]+)?$/, `-${attempt}$1`);
}
