import type { Database, Row, Statement, Transaction } from "../../../src/backends/postgres/database.ts";

/** How much one statement had to look at. */
interface Measured {
  readonly text: string;
  /** All rows that any step of its plan took up, also those that it threw away. */
  readonly rows: number;
}

interface Plan {
  readonly Plans?: readonly Plan[];
  readonly [property: string]: unknown;
}

/** The same database; each statement is done once before, with its plan written down, and undone. */
export function measure(database: Database) {
  const measured: Measured[] = [];
  let transactions = 0;

  async function runMeasured(transaction: Transaction, statements: readonly Statement[]): Promise<(readonly Row[])[]> {
    const answers: (readonly Row[])[] = [];
    for (const { text, values = [] } of statements) {
      const [, , [row] = []] = await transaction.run(
        // Tables as small as those of a test would be read as a whole.
        { text: "SET LOCAL enable_seqscan = off" },
        { text: "SAVEPOINT before" },
        { text: `EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) ${text}`, values },
        { text: "ROLLBACK TO SAVEPOINT before" },
      );
      const [explained] = (row?.["QUERY PLAN"] ?? []) as readonly { readonly Plan: Plan }[];
      if (!explained) throw new Error(`There is no plan for: ${text}`);
      measured.push({ text, rows: rowsOf(explained.Plan) });
      const [answer = []] = await transaction.run({ text, values });
      answers.push(answer);
    }
    return answers;
  }

  const measuring = (transaction: Transaction): Transaction => ({
    run: (...statements) => runMeasured(transaction, statements),
    commit: async (...statements) => {
      const answers = await runMeasured(transaction, statements);
      await transaction.commit();
      return answers;
    },
  });

  return {
    database: {
      ...database,
      read: (spaces, ...statements) =>
        database.transaction(spaces, (transaction) => runMeasured(transaction, statements)),
      transaction: (spaces, work) => {
        transactions += 1;
        return database.transaction(spaces, (transaction) => work(measuring(transaction)));
      },
    } satisfies Database,
    rowsTouched: () => measured.reduce((sum, { rows }) => sum + rows, 0),
    statements: () => measured.map(({ text }) => text),
    transactions: () => transactions,
  };
}

function rowsOf(plan: Plan): number {
  const each = [
    "Actual Rows",
    "Rows Removed by Filter",
    "Rows Removed by Join Filter",
    "Rows Removed by Index Recheck",
  ];
  const own = each.reduce((sum, property) => sum + Number(plan[property] ?? 0), 0) * Number(plan["Actual Loops"]);
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), own);
}
