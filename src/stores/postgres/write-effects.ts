import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Address, Change, Stamp } from "../../core/store.ts";
import type { Statement } from "./database.ts";
import type { Held } from "./hold-spaces.ts";
import type { Kept } from "./kept-document.ts";
import type { Spaces } from "./spaces.ts";

/** What one change makes of one document. */
export interface Effect {
  readonly kind: Change["kind"];
  readonly at: Address;
  readonly after: Kept | undefined;
  readonly before: Kept | undefined;
  readonly other?: Address;
}

interface NumberedEffect extends Effect {
  readonly change: bigint;
  readonly otherSpace: string | null;
}

/** A statement takes 65,535 values, and a row of each table has 24. */
const mostRows = 1000;

/** As few statements as can be, and those of a single change always in the same words: see `Statement.name`. */
export function writesOf(effects: readonly Effect[], { time, last }: Held, stamp: Stamp, spaces: Spaces): Statement[] {
  const operation = newOperation();
  const shared = { time, stamp, operation, batch: effects.length > 1 ? operation : null };
  return [...Map.groupBy(effects, ({ at }) => spaces.of(at.root))].flatMap(([space, own]) => {
    const from = last.get(space) ?? 0n;
    const rows = own.map((effect, index) => ({
      ...effect,
      change: from + BigInt(index + 1),
      otherSpace: effect.other ? spaces.of(effect.other.root) : null,
    }));
    const parts = Array.from({ length: Math.ceil(rows.length / mostRows) }, (_, part) =>
      rows.slice(part * mostRows, (part + 1) * mostRows),
    );
    return [...removalsOf(space, rows), ...parts.map((part) => writeOf(space, part, shared))];
  });
}

export function newOperation(): string {
  return randomBytes(20).toString("hex");
}

function removalsOf(space: string, rows: readonly NumberedEffect[]): Statement[] {
  const gone = rows.filter(({ after }) => !after).map(({ at }) => at.path);
  if (gone.length === 0) return [];
  const text = "DELETE FROM recollect.documents WHERE space = $1 AND path = ANY($2)";
  return [{ name: "recollect remove", text, values: [space, gone] }];
}

interface SharedByRows {
  readonly time: Date;
  readonly stamp: Stamp;
  readonly operation: string;
  readonly batch: string | null;
}

function writeOf(space: string, rows: readonly NumberedEffect[], shared: SharedByRows): Statement {
  const { time, stamp, operation, batch } = shared;
  const kept = rows.flatMap(({ after, ...row }) => (after ? [{ ...row, after }] : []));
  // What moves within a space is there already; into another, it is new there.
  const fresh = kept.filter(({ kind, otherSpace }) => kind !== "move" || otherSpace !== space);
  const values: unknown[] = [];
  const rowsOf = (columns: readonly (readonly unknown[])[]) =>
    `VALUES ${columns.map((row) => `(${row.map((value) => `$${values.push(value)}`).join(", ")})`).join(", ")}`;
  const parts = [
    ...(fresh.length === 0
      ? []
      : [
          `fresh AS (INSERT INTO recollect.contents (space, rev, content)
            ${rowsOf(fresh.map(({ after }) => [space, after.rev, after.bytes]))} ON CONFLICT DO NOTHING)`,
        ]),
    ...(kept.length === 0
      ? []
      : [
          `kept AS (INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
            ${rowsOf(kept.map(({ at, after, change }) => [space, at.path, after.rev, after.bytes.length, isUtf8(after.bytes), time, change]))}
            ${replacing})`,
        ]),
    `noted AS (INSERT INTO recollect.changes (${columnsOfChanges})
      ${rowsOf(
        rows.map(({ at, change, kind, before, after, other, otherSpace }) => [
          ...[space, change, at.path, kind, after?.rev ?? null, before?.rev ?? null],
          ...[otherSpace, other?.path ?? null, time, ...stampOf(stamp), batch, operation],
        ]),
      )})`,
  ];
  const set = `UPDATE recollect.spaces SET last_change = $${values.push(rows.at(-1)?.change)} WHERE space = $${values.push(space)}`;
  return {
    text: `WITH ${parts.join(", ")} ${set}`,
    values,
    operation,
    ...(rows.length === 1 ? { name: `recollect write ${fresh.length} ${kept.length}` } : {}),
  };
}

export const columnsOfChanges =
  "space, change, path, kind, rev, was, other_space, other_path, time, author, run, reason, batch, operation";

/** Whatever was at the same path before. */
export const replacing = `ON CONFLICT (space, path) DO UPDATE SET rev = excluded.rev, size = excluded.size,
  is_text = excluded.is_text, modified = excluded.modified, change = excluded.change`;

export function stampOf({ author, run, reason }: Stamp): readonly [string, string | null, string | null] {
  return [toText(author) ?? "", toText(run), toText(reason)];
}

/** A text in a table cannot hold NUL. */
export function toText(text: string | undefined): string | null {
  return text === undefined ? null : text.replaceAll("\0", "");
}
