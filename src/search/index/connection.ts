import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

export type Row = Record<string, SQLOutputValue>;

/** An open database whose statements are kept, and whose errors are all handed to one place. */
export interface Connection {
  readonly isOpen: boolean;
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all(sql: string, ...values: SQLInputValue[]): Row[];
  run(sql: string, ...values: SQLInputValue[]): void;
  /** With no change of others in between. */
  reading<Result>(work: () => Result): Result;
  /** All or nothing, with no other writer in between; where there is one, it fails at once. */
  writing<Result>(work: () => Result): Result;
  /** What to throw for damage that was found in what was read. */
  failure(error: unknown): unknown;
  close(): void;
}

export function createConnection(
  database: DatabaseSync,
  busyMilliseconds: number,
  toFailure: (error: unknown) => unknown,
): Connection {
  const statements = new Map<string, StatementSync>();
  let isOpen = true;

  function statement(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = database.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  }

  /** Where the disk is full, SQLite has already done it, and says that there is nothing to roll back. */
  function rollBack(): void {
    try {
      database.exec("ROLLBACK");
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw toFailure(error);
    }
  }

  function within<Result>(begin: string, work: () => Result): Result {
    connection.run(begin);
    try {
      const result = work();
      connection.run("COMMIT");
      return result;
    } catch (error) {
      if (isOpen) rollBack();
      throw error;
    }
  }

  const connection: Connection = {
    get isOpen() {
      return isOpen;
    },
    get(sql, ...values) {
      try {
        return statement(sql).get(...values);
      } catch (error) {
        throw toFailure(error);
      }
    },
    all(sql, ...values) {
      try {
        return statement(sql).all(...values);
      } catch (error) {
        throw toFailure(error);
      }
    },
    run(sql, ...values) {
      try {
        statement(sql).run(...values);
      } catch (error) {
        throw toFailure(error);
      }
    },
    reading: (work) => within("BEGIN", work),
    writing: (work) => {
      // Nothing else would be done while SQLite waits.
      connection.get("PRAGMA busy_timeout = 0");
      try {
        return within("BEGIN IMMEDIATE", work);
      } finally {
        if (isOpen) connection.get(`PRAGMA busy_timeout = ${busyMilliseconds}`);
      }
    },
    failure: toFailure,
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  };
  return connection;
}
