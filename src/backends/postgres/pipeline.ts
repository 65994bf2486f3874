import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Row, Statement } from "./database.ts";
import { isCommittedAlone, isSaidByDatabase } from "./database-error.ts";

/** What a connection has been told to keep. */
export interface Prepared {
  /** By the texts of statements: two may have the same name. */
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

interface PipelineOptions {
  readonly prepared: Prepared;
  /** How long the database may say nothing before the connection is given up: a few statements with a name, or one without. */
  readonly silenceMs: number;
}

/** As much of a client of `pg` as this needs. */
export interface PipelineClient {
  query(pipeline: object): unknown;
}

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** A statement whose values are as they are sent. */
interface Sendable extends Statement {
  readonly parameters: readonly Parameter[];
}

/** So many statements with a name, which are fast, are answered together. */
const answeredTogether = 4;

/**
 * Several statements in one message, answered by one: what the two ends cost each other is mostly that they wake each
 * other. Where no transaction is open they are one of their own. The first that fails is the reason for all after it,
 * and nothing of them is kept. The rows of each, without those that only set something. What cannot be sent throws at
 * once: that is the fault of who asks, and the connection is as it was.
 */
export function sendPipeline(
  client: PipelineClient,
  options: PipelineOptions,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  const sendable = statements.map((one) => ({ ...one, parameters: (one.values ?? []).map(toParameter) }));
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(options, sendable, resolve, reject));
  });
}

/** The client library calls these as answers come. */
class Pipeline implements pg.Submittable {
  private readonly answers: Row[][] = [];
  private columns: readonly Column[] = [];
  private rows: Row[] = [];
  private isRolledBack = false;
  private isAlone = false;

  private readonly fresh = new Set<string>();
  private silence: NodeJS.Timeout | undefined;

  private readonly options: PipelineOptions;
  private readonly statements: readonly Sendable[];
  private readonly resolve: (answers: readonly (readonly Row[])[]) => void;
  private readonly reject: (error: unknown) => void;

  constructor(
    options: PipelineOptions,
    statements: readonly Sendable[],
    resolve: (answers: readonly (readonly Row[])[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.options = options;
    this.statements = statements;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    const silent = Object.assign(new Error("The database says nothing."), { code: "ETIMEDOUT" });
    this.silence = setTimeout(() => connection.stream.destroy(silent), this.options.silenceMs);
    connection.on("notice", this.onNotice);
    connection.stream.cork();
    try {
      this.write(connection);
    } catch (error) {
      // Nobody knows how much of it the connection has taken: it is of no use any more.
      connection.stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    connection.stream.uncork();
  }

  private write(connection: pg.Connection): void {
    for (const own of this.options.prepared.unsure.splice(0)) connection.close({ type: "S", name: own }, true);
    const last = this.statements.length - 1;
    let unanswered = 0;
    for (const [at, statement] of this.statements.entries()) {
      this.writeOne(connection, statement);
      // What may take its time is answered by itself, and the others after a few: otherwise the database says nothing
      // before the last is done, and working through many looks like silence.
      if (!statement.isSetting) unanswered += statement.name === undefined ? answeredTogether : 1;
      if (unanswered < answeredTogether || at === last) continue;
      connection.flush();
      unanswered = 0;
    }
    connection.sync();
  }

  private writeOne(connection: pg.Connection, { name, text, parameters }: Sendable): void {
    const known = name === undefined ? undefined : this.options.prepared.kept.get(text);
    const own = known?.own ?? (name === undefined ? "" : this.prepare(name, text));
    if (!known) connection.parse({ name: own, text, types: [] }, true);
    connection.bind({ statement: own, values: [...parameters] }, true);
    if (!known?.columns) connection.describe({ type: "P", name: "" }, true);
    connection.execute(null, true);
  }

  private readonly onNotice = (notice: unknown): void => {
    this.isAlone ||= isCommittedAlone(notice);
  };

  private end(connection: pg.Connection): void {
    clearTimeout(this.silence);
    connection.off("notice", this.onNotice);
  }

  /** Under a name that was never used before: where something failed, it is not known whether the connection has it. */
  private prepare(name: string, text: string): string {
    const own = `${name} ${randomBytes(6).toString("hex")}`;
    this.options.prepared.kept.set(text, { own, columns: undefined });
    this.fresh.add(text);
    return own;
  }

  private preparedNow(): PreparedStatement | undefined {
    const statement = this.statements[this.answers.length];
    return statement?.name === undefined ? undefined : this.options.prepared.kept.get(statement.text);
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

  handleCommandComplete({ text: did }: { readonly text: string }): void {
    this.silence?.refresh();
    this.isRolledBack ||= did === "ROLLBACK" && this.statements[this.answers.length]?.text === "COMMIT";
    const prepared = this.preparedNow();
    if (prepared) prepared.columns ??= this.columns;
    this.answers.push(this.rows);
    this.columns = [];
    this.rows = [];
  }

  handleReadyForQuery(connection: pg.Connection): void {
    this.end(connection);
    if (this.isAlone) this.reject(committedAlone());
    else if (this.isRolledBack) this.reject(rolledBack());
    else this.resolve(this.answers.filter((_, at) => !this.statements[at]?.isSetting));
  }

  /**
   * Only a database that goes on after an error has undone what it was about. One that ends with it may have committed:
   * then the error counts as nothing but the loss of the connection.
   */
  handleError(error: unknown, connection: pg.Connection): void {
    this.forgetPrepared();
    const settle = (reason: unknown) => {
      this.end(connection);
      connection.stream.off("close", onClose);
      connection.off("readyForQuery", onReady);
      this.reject(reason);
    };
    const onReady = () => settle(this.isAlone ? committedAlone() : error);
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
    const named = this.statements.slice(this.answers.length).filter(({ name }) => name !== undefined);
    const [failed, ...later] = named.map(({ text }) => text);
    for (const text of [failed, ...later.filter((one) => this.fresh.has(one))]) {
      const statement = text === undefined ? undefined : this.options.prepared.kept.get(text);
      if (text === undefined || !statement) continue;
      this.options.prepared.kept.delete(text);
      this.options.prepared.unsure.push(statement.own);
    }
  }
}

/** Who commits after something failed is told nothing else by the database. */
function rolledBack(): Error {
  const says = "It was not committed, since something in it had failed.";
  return Object.assign(new Error(says), { severity: "ERROR", code: "25P02" });
}

/** Nothing that counts as said by the database: whether it lasts is not known before a later commit has got through. */
function committedAlone(): Error {
  return new Error("It was committed, but somebody ended the wait for the standby, which may not have it.");
}

type Parameter = Buffer | string | null;

/** A value as the database reads it; bytes go as they are. Throws where it is none, such as a time that is not one. */
function toParameter(value: unknown): Parameter {
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
