import type { PurgeForms } from "../../kernel/purge-forms.ts";
import type { Transaction } from "./database.ts";
import { says, textForms } from "./find-value.ts";

/** What a change says beside the document that it is about. */
const columns = ["author", "run", "reason", "batch"] as const;
const rowsAtOnce = 1000;

/** Takes a value out of what changes say of people and reasons, and of places in other spaces. How many said it. */
export async function cleanTexts(transaction: Transaction, space: string, forms: PurgeForms): Promise<number> {
  const all = columns.map((column) => says(column, 3)).join(" OR ");
  let count = 0;
  for (let after = 0n; ; ) {
    const [rows = []] = await transaction.run({
      text: `SELECT change, ${columns.join(", ")}, CASE WHEN other_space <> $1 THEN other_path END AS elsewhere
        FROM recollect.changes WHERE space = $1 AND change > $2
          AND (${all} OR (other_space <> $1 AND ${says("other_path", 3)})) ORDER BY change LIMIT $4`,
      values: [space, after, textForms(forms), rowsAtOnce],
    });
    const last = rows.at(-1);
    if (!last) return count;
    count += rows.length;
    after = BigInt(String(last["change"]));
    const cleaned = (column: string, clean: (text: string) => string) =>
      rows.map((row) => (row[column] == null ? null : clean(String(row[column]))));
    await transaction.run({
      text: `UPDATE recollect.changes c SET author = clean.author, run = clean.run, reason = clean.reason,
          batch = clean.batch, other_path = coalesce(clean.elsewhere, c.other_path)
        FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
          AS clean (change, author, run, reason, batch, elsewhere)
        WHERE c.space = $1 AND c.change = clean.change`,
      values: [
        space,
        rows.map(({ change }) => BigInt(String(change))),
        ...columns.map((column) => cleaned(column, forms.cleanText)),
        cleaned("elsewhere", forms.cleanPath),
      ],
    });
  }
}
