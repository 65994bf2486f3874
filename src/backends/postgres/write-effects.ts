import { randomBytes } from "node:crypto";
import type { Address, Change, Stamp } from "../../kernel/store.ts";
import type { Statement } from "./database.ts";
import type { Held } from "./hold-spaces.ts";
import { insertChanges, insertContents, putDocuments, removeDocuments, sizeAndText } from "./insert-rows.ts";
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

/** The statements of an operation, which records its name with each change: by it, it is found out whether it was done. */
export interface Writes {
  readonly operation: string;
  readonly statements: readonly Statement[];
}

export function newOperation(): string {
  return randomBytes(20).toString("hex");
}

/** For who holds the spaces. */
export function writesOf(effects: readonly Effect[], { time, last }: Held, stamp: Stamp, spaces: Spaces): Writes {
  const operation = newOperation();
  const shared = { time, stamp, operation, ...(effects.length > 1 ? { batch: operation } : {}) };
  const bySpace = Map.groupBy(effects, ({ at }) => spaces.of(at.root));
  return {
    operation,
    statements: [...bySpace].flatMap(([space, own]) => {
      const before = last.get(space) ?? 0n;
      const rows = own.map(({ at, other, ...effect }, index) => ({
        ...effect,
        path: at.path,
        other: other && { space: spaces.of(other.root), path: other.path },
        change: before + BigInt(index + 1),
      }));
      const kept = rows.flatMap(({ after, ...row }) => (after ? [{ ...row, ...after }] : []));
      return [
        ...removeDocuments(
          space,
          rows.filter(({ after }) => !after).map(({ path }) => path),
        ),
        // What moves within a space is there already; into another, it is new there.
        ...insertContents(
          space,
          kept.filter(({ other }) => other?.space !== space),
        ),
        ...putDocuments(
          space,
          kept.map((row) => ({ ...row, ...sizeAndText(row.bytes), modified: time })),
        ),
        ...insertChanges(
          space,
          rows.map((row) => ({ ...row, ...shared, rev: row.after?.rev, was: row.before?.rev })),
        ),
        countChanges(space, before + BigInt(rows.length), time),
      ];
    }),
  };
}

function countChanges(space: string, last: bigint, time: Date): Statement {
  const text = "UPDATE recollect.spaces SET last_change = $2, last_time = $3 WHERE space = $1";
  return { name: "recollect count", text, values: [space, last, time] };
}
