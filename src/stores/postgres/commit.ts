import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import { assertApplicable } from "../../core/applicable-changes.ts";
import { parseExistingPath } from "../../core/document-path.ts";
import { RecollectError } from "../../core/errors.ts";
import { revisionOf } from "../../core/revision.ts";
import type { Address, Change, Committed, Current, Outcome, Planning, RefusalOf, Stamp } from "../../core/store.ts";
import type { Database, Statement } from "./database.ts";
import { type Held, holdSpaces, keyIn, keyOf } from "./hold-spaces.ts";
import { type Kept, toStored } from "./kept-document.ts";
import { foldersOf, isFolder, isNoFolder } from "./not-a-document.ts";
import type { Spaces } from "./spaces.ts";

/** What one change makes of one document. */
interface Effect {
  readonly kind: Change["kind"];
  readonly at: Address;
  readonly after: Kept | undefined;
  readonly before: Kept | undefined;
  readonly other?: Address;
}

/** What an index of the database takes as a key, with room for what stands beside the path in it. */
const mostKeyBytes = 2500;

/**
 * Who writes in a space holds it to the end: so its changes are numbered in the order in which they take effect, and a
 * follower who saw one has seen all before it.
 */
export async function commitDocuments<Planned extends Planning>(
  database: Database,
  spaces: Spaces,
  { addresses, plan, stamp }: { addresses: readonly Address[]; plan: (current: Current) => Planned; stamp: Stamp },
): Promise<Committed | RefusalOf<Planned>> {
  const named = addresses.map(({ root, path }) => ({ root, path: parseExistingPath(path) }));
  const held = [...new Set(named.map(({ root }) => spaces.of(root)))].sort();
  return database.transaction(held, async (transaction) => {
    const found = await holdSpaces(transaction, held, named, spaces);
    const keptAt = (at: Address): Kept | undefined => {
      const key = keyOf(spaces, at);
      if (named.some((one) => keyOf(spaces, one) === key)) return found.kept.get(key);
      throw new RecollectError("INVALID_ARGUMENT", `“${at.path}” was not named when the operation began.`);
    };
    for (const at of named) if (found.folders.has(keyOf(spaces, at))) throw isFolder(at);
    const planned = plan((at) => {
      const kept = keptAt(at);
      return kept && toStored(kept, at.path);
    });
    if (!isChangeList(planned)) return planned as RefusalOf<Planned>;
    assertApplicable(planned, keptAt);
    const effects = planned.flatMap((change) => effectsOf(change, keptAt));
    assertPlaces(effects, found.above, spaces);
    if (effects.length > 0) await transaction.commit(...writesOf(effects, found, stamp, spaces));
    const outcomes = effects.map(({ at, after, before }): Outcome => ({ at, rev: after?.rev, was: before?.rev }));
    return { kind: "committed", outcomes };
  });
}

function effectsOf(change: Change, keptAt: (at: Address) => Kept | undefined): Effect[] {
  switch (change.kind) {
    case "put":
      return [{ kind: "put", at: change.at, before: keptAt(change.at), after: contentOf(Buffer.from(change.content)) }];
    case "append": {
      const before = keptAt(change.at);
      const bytes = Buffer.concat([before?.bytes ?? Buffer.alloc(0), Buffer.from(change.content)]);
      return [{ kind: "append", at: change.at, before, after: contentOf(bytes) }];
    }
    case "remove":
      return [{ kind: "remove", at: change.at, before: keptAt(change.at), after: undefined }];
    case "move": {
      const moved = keptAt(change.from);
      return [
        { kind: "move", at: change.to, before: undefined, after: moved, other: change.from },
        { kind: "move", at: change.from, before: moved, after: undefined, other: change.to },
      ];
    }
  }
}

function contentOf(bytes: Buffer): Kept {
  return { bytes, rev: revisionOf(bytes), modified: 0 };
}

/** Nothing is made below a document, nor under a path that no index takes. */
function assertPlaces(effects: readonly Effect[], documentsAbove: ReadonlySet<string>, spaces: Spaces): void {
  const gone = new Set(effects.filter(({ after }) => !after).map(({ at }) => keyOf(spaces, at)));
  const made = effects.filter(({ after, before }) => after && !before);
  const fresh = new Set(made.map(({ at }) => keyOf(spaces, at)));
  for (const { at } of made) {
    const space = spaces.of(at.root);
    const blocked = foldersOf(at.path).find((folder) => {
      const key = keyIn(space, folder);
      return fresh.has(key) || (documentsAbove.has(key) && !gone.has(key));
    });
    if (blocked !== undefined) throw isNoFolder(at, blocked);
    const bytes = Buffer.byteLength(space) + Buffer.byteLength(at.path);
    if (bytes > mostKeyBytes) throw tooLong(at, mostKeyBytes - Buffer.byteLength(space));
  }
}

function tooLong({ root, path }: Address, limit: number): RecollectError {
  const size = Buffer.byteLength(path);
  const says = `Invalid path: it has ${size} bytes, and in a database “${root}” takes ${limit}. Give a shorter one.`;
  return new RecollectError("INVALID_PATH", says, { data: { rule: "too-long", size, limit } });
}

function writesOf(effects: readonly Effect[], { time, last }: Held, stamp: Stamp, spaces: Spaces): Statement[] {
  const numbers = new Map(last);
  const operation = randomBytes(20).toString("hex");
  const rows = effects.map((effect) => {
    const space = spaces.of(effect.at.root);
    const change = (numbers.get(space) ?? 0n) + 1n;
    numbers.set(space, change);
    return { ...effect, space, change, path: effect.at.path };
  });
  const kept = rows.flatMap(({ after, ...row }) => (after ? [{ ...row, after }] : []));
  const gone = rows.filter(({ after }) => !after);
  const fresh = kept.filter(({ kind }) => kind !== "move");
  const column = <One, Value>(from: readonly One[], of: (one: One) => Value) => from.map(of);
  return [
    {
      text: `INSERT INTO recollect.contents (space, rev, content)
        SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) ON CONFLICT DO NOTHING`,
      // What moves within a space is there already; into another, it is new there.
      values: [
        column([...fresh, ...crossing(kept, spaces)], ({ space }) => space),
        column([...fresh, ...crossing(kept, spaces)], ({ after }) => after.rev),
        column([...fresh, ...crossing(kept, spaces)], ({ after }) => after.bytes),
      ],
    },
    ...(gone.length === 0
      ? []
      : [
          {
            text: `DELETE FROM recollect.documents d USING unnest($1::text[], $2::text[]) AS gone (space, path)
              WHERE d.space = gone.space AND d.path = gone.path`,
            values: [column(gone, ({ space }) => space), column(gone, ({ path }) => path)],
          },
        ]),
    ...(kept.length === 0
      ? []
      : [
          {
            text: `INSERT INTO recollect.documents (space, path, rev, size, is_text, modified, change)
              SELECT space, path, rev, size, is_text, $7, change
              FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::boolean[], $6::bigint[])
                AS made (space, path, rev, size, is_text, change)
              ON CONFLICT (space, path) DO UPDATE
                SET rev = excluded.rev, size = excluded.size, is_text = excluded.is_text,
                  modified = excluded.modified, change = excluded.change`,
            values: [
              column(kept, ({ space }) => space),
              column(kept, ({ path }) => path),
              column(kept, ({ after }) => after.rev),
              column(kept, ({ after }) => after.bytes.length),
              column(kept, ({ after }) => isUtf8(after.bytes)),
              column(kept, ({ change }) => change),
              time,
            ],
          },
        ]),
    {
      text: `INSERT INTO recollect.changes
          (space, change, path, kind, rev, was, other_space, other_path, time, author, run, reason, batch, operation)
        SELECT space, change, path, kind, rev, was, other_space, other_path, $9, $10, $11, $12, $13, $14
        FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
          AS done (space, change, path, kind, rev, was, other_space, other_path)`,
      values: [
        column(rows, ({ space }) => space),
        column(rows, ({ change }) => change),
        column(rows, ({ path }) => path),
        column(rows, ({ kind }) => kind),
        column(rows, ({ after }) => after?.rev ?? null),
        column(rows, ({ before }) => before?.rev ?? null),
        column(rows, ({ other }) => (other ? spaces.of(other.root) : null)),
        column(rows, ({ other }) => other?.path ?? null),
        time,
        toText(stamp.author),
        toText(stamp.run),
        toText(stamp.reason),
        effects.length > 1 ? operation : null,
        operation,
      ],
    },
    {
      text: `UPDATE recollect.spaces s SET last_change = done.last
        FROM unnest($1::text[], $2::bigint[]) AS done (space, last) WHERE s.space = done.space`,
      values: [[...numbers.keys()], [...numbers.values()]],
    },
  ];
}

/** Moves out of one space into another. */
function crossing<One extends { readonly kind: string; readonly space: string; readonly other?: Address }>(
  kept: readonly One[],
  spaces: Spaces,
): One[] {
  return kept.filter(({ kind, space, other }) => kind === "move" && other && spaces.of(other.root) !== space);
}

/** A text in a table cannot hold NUL. */
export function toText(text: string | undefined): string | null {
  return text === undefined ? null : text.replaceAll("\0", "");
}

function isChangeList(planned: unknown): planned is readonly Change[] {
  return Array.isArray(planned);
}
