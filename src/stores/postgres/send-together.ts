import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Row, Statement } from "./database.ts";
import { isSaidByDatabase } from "./database-error.ts";

/** What a connection has been told to keep. */
export interface Prepared {
  /** By the names of statements. */
  readonly kept: Map<string, PreparedStatement>;
  /** What it may have been told in vain, as it calls it: that is to be forgotten. */
  readonly unsure: string[];
}

export function createPrepared(): Prepared {
  return { kept: new Map(), unsure: [] };
}

interface PreparedStatement {
  /** What the connection calls it. */
  readonly own: string;
  /** Of what it answers, once that is known; it never changes. */
  columns: readonly Column[] | undefined;
}

export interface SendOptions {
  readonly prepared: Prepared;
  /** How long the database may say nothing before the connection is given up. */
  readonly silenceMs: number;
}

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
  options: SendOptions,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  return new Promise((resolve, reject) => {
    client.query(new Sending(options, statements, resolve, reject));
  });
}

/** The client library calls these as answers come. */
class Sending implements pg.Submittable {
  private readonly answers: Row[][] = [];
  private columns: readonly Column[] = [];
  private rows: Row[] = [];

  private readonly fresh = new Set<string>();
  private silence: NodeJS.Timeout | undefined;

  private readonly options: SendOptions;
  private readonly statements: readonly Statement[];
  private readonly resolve: (answers: readonly (readonly Row[])[]) => void;
  private readonly reject: (error: unknown) => void;

  constructor(
    options: SendOptions,
    statements: readonly Statement[],
    resolve: (answers: readonly (readonly Row[])[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.options = options;
    this.statements = statements;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    const { prepared, silenceMs } = this.options;
    const silent = Object.assign(new Error("The database says nothing."), { code: "ETIMEDOUT" });
    this.silence = setTimeout(() => connection.stream.destroy(silent), silenceMs);
    connection.stream.cork();
    for (const own of prepared.unsure.splice(0)) connection.close({ type: "S", name: own }, true);
    for (const { name, text, values = [] } of this.statements) {
      const known = name === undefined ? undefined : prepared.kept.get(name);
      const own = known?.own ?? (name === undefined ? "" : this.prepare(name));
      if (!known) connection.parse({ name: own, text, types: [] }, true);
      connection.bind({ statement: own, values: values.map(toParameter) }, true);
      if (!known?.columns) connection.describe({ type: "P", name: "" }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  /** Under a name that was never used before: where something failed, it is not known whether the connection has it. */
  private prepare(name: string): string {
    const own = `${name} ${randomBytes(6).toString("hex")}`;
    this.options.prepared.kept.set(name, { own, columns: undefined });
    this.fresh.add(name);
    return own;
  }

  private preparedNow(): PreparedStatement | undefined {
    const name = this.statements[this.answers.length]?.name;
    return name === undefined ? undefined : this.options.prepared.kept.get(name);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.columns = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.preparedNow()?.columns ?? this.columns;
    const cells = columns.map(({ name, dataTypeID }, index) => {
      const cell = fields[index] ?? null;
      return [name, cell === null ? null : pg.types.getTypeParser(dataTypeID, "text")(cell)];
    });
    this.rows.push(Object.fromEntries(cells));
    this.silence?.refresh();
  }

  handleCommandComplete(): void {
    this.silence?.refresh();
    const prepared = this.preparedNow();
    if (prepared) prepared.columns ??= this.columns;
    this.answers.push(this.rows);
    this.columns = [];
    this.rows = [];
  }

  handleReadyForQuery(): void {
    clearTimeout(this.silence);
    this.resolve(this.answers);
  }

  /**
   * Only a database that goes on after an error has undone what it was about. One that ends with it may have committed:
   * then the error counts as nothing but the loss of the connection.
   */
  handleError(error: unknown, connection: pg.Connection): void {
    this.forgetPrepared();
    const settle = (reason: unknown) => {
      clearTimeout(this.silence);
      connection.stream.off("close", onClose);
      connection.off("readyForQuery", onReady);
      this.reject(reason);
    };
    const onReady = () => settle(error);
    const onClose = () => settle(new Error("Connection terminated unexpectedly", { cause: error }));
    if (!isSaidByDatabase(error)) settle(error);
    else if (connection.stream.destroyed) onClose();
    else {
      connection.stream.once("close", onClose);
      connection.once("readyForQuery", onReady);
    }
  }

  /** Of what comes after the one that failed, the connection keeps what it kept before. */
  private forgetPrepared(): void {
    const [failed, ...later] = this.statements.slice(this.answers.length).flatMap(({ name }) => name ?? []);
    for (const name of [failed, ...later.filter((one) => this.fresh.has(one))]) {
      const statement = name === undefined ? undefined : this.options.prepared.kept.get(name);
      if (name === undefined || !statement) continue;
      this.options.prepared.kept.delete(name);
      this.options.prepared.unsure.push(statement.own);
    }
  }
}

/** A value as the database reads it; bytes go as they are. */
function toParameter(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return toArray(value);
  return value instanceof Date ? value.toISOString() : String(value);
}

function toArray(values: readonly unknown[]): Buffer | string {
  return isBuffers(values) ? toByteArrays(values) : `{${values.map(toElement).join(",")}}`;
}

function isBuffers(values: readonly unknown[]): values is readonly Buffer[] {
  return values.length > 0 && values.every(Buffer.isBuffer);
}

/** The type `bytea`, as the database numbers it. */
const typeOfBytes = 17;

/** As the database itself would send it: one dimension, nothing that is null, counted from one. */
function toByteArrays(values: readonly Buffer[]): Buffer {
  const head = [1, 0, typeOfBytes, values.length, 1];
  return Buffer.concat([...head.map(toInteger), ...values.flatMap((value) => [toInteger(value.length), value])]);
}

function toInteger(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function toElement(value: unknown): string {
  const parameter = toParameter(value);
  if (parameter === null) return "NULL";
  const text = Buffer.isBuffer(parameter) ? `\\x${parameter.toString("hex")}` : parameter;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
