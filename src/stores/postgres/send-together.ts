import pg from "pg";
import type { Row, Statement } from "./database.ts";

/** What a connection has been told to keep, by the names of statements, and under which names of its own. */
export type Prepared = Map<string, string>;

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * Several statements in one message, answered by one: what the two ends cost each other is mostly that they wake each
 * other. Where no transaction is open they are one of their own. The first that fails is the reason for all after it,
 * and nothing of them is kept.
 */
export function sendTogether(
  client: pg.ClientBase,
  prepared: Prepared,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  return new Promise((resolve, reject) => {
    client.query(new Sending(prepared, statements, resolve, reject));
  });
}

/** The client library calls these as answers come. */
class Sending implements pg.Submittable {
  private readonly answers: Row[][] = [];
  private columns: readonly Column[] = [];
  private rows: Row[] = [];

  private readonly prepared: Prepared;
  private readonly statements: readonly Statement[];
  private readonly resolve: (answers: readonly (readonly Row[])[]) => void;
  private readonly reject: (error: unknown) => void;

  constructor(
    prepared: Prepared,
    statements: readonly Statement[],
    resolve: (answers: readonly (readonly Row[])[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.prepared = prepared;
    this.statements = statements;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    for (const { name, text, values = [] } of this.statements) {
      const known = name === undefined ? undefined : this.prepared.get(name);
      // Never one that was used before: whether the connection has it is not known where something failed.
      const own = known ?? (name === undefined ? "" : `${name} ${nextNumber(this.prepared)}`);
      if (known === undefined) connection.parse({ name: own, text, types: [] }, true);
      if (name !== undefined) this.prepared.set(name, own);
      connection.bind({ statement: own, values: values.map(toParameter) }, true);
      connection.describe({ type: "P", name: "" }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.columns = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const cells = this.columns.map(({ name, dataTypeID }, index) => {
      const cell = fields[index] ?? null;
      return [name, cell === null ? null : pg.types.getTypeParser(dataTypeID, "text")(cell)];
    });
    this.rows.push(Object.fromEntries(cells));
  }

  handleCommandComplete(): void {
    this.answers.push(this.rows);
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.resolve(this.answers);
  }

  handleError(error: unknown): void {
    for (const { name } of this.statements.slice(this.answers.length))
      if (name !== undefined) this.prepared.delete(name);
    this.reject(error);
  }
}

/** Counts what was ever kept, in the map itself. */
function nextNumber(prepared: Prepared): string {
  const next = String(Number(prepared.get("") ?? 0) + 1);
  prepared.set("", next);
  return next;
}

/** A value as the database reads it; a buffer goes as it is. */
function toParameter(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(toElement).join(",")}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

function toElement(value: unknown): string {
  const parameter = toParameter(value);
  if (parameter === null) return "NULL";
  const text = Buffer.isBuffer(parameter) ? `\\x${parameter.toString("hex")}` : parameter;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
