import { assertApplicable, isChanges } from "../../kernel/conflict.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type {
  Address,
  Change,
  Committed,
  Current,
  Outcome,
  Planning,
  RefusalOf,
  Resolved,
  Stamp,
} from "../../kernel/store.ts";
import type { Decision } from "./commit-held.ts";
import type { Database } from "./database.ts";
import { guessedWrite } from "./guessed-write.ts";
import type { Held } from "./hold-spaces.ts";
import { type Kept, toStored } from "./kept-document.ts";
import { foldersOf, isFolder, isNoFolder, keyIn } from "./place.ts";
import type { Spaces } from "./spaces.ts";
import type { Guess } from "./take-turns.ts";
import { type Effect, writesOf } from "./write-effects.ts";

/** What an index of the database takes as a key, with room for what stands beside the path in it. */
const mostKeyBytes = 2500;

/**
 * Who writes in a space holds it to the end: so its changes are numbered in the order in which they take effect, and a
 * follower who saw one has seen all before it.
 */
export async function commitDocuments<Planned extends Planning>(
  database: Database,
  spaces: Spaces,
  request: CommitRequest<Planned>,
): Promise<Committed | RefusalOf<Planned>> {
  const { named } = request;
  for (const { root } of named) if (spaces.isReadOnly(root)) throw isReadOnly(root);
  const held = [...new Set(named.map(({ root }) => spaces.of(root)))].sort();
  return database.turns.take(held, {
    places: named.map(({ root, path }) => ({ space: spaces.of(root), path })),
    guess: () => guess(database, spaces, request),
    decide: (found) => decide(database, spaces, found, request),
  });
}

interface CommitRequest<Planned extends Planning> {
  readonly named: readonly Resolved[];
  readonly plan: (current: Current) => Planned;
  readonly stamp: Stamp;
}

/** With the documents as they are while the spaces are held. */
function decide<Planned extends Planning>(
  database: Database,
  spaces: Spaces,
  found: Held,
  { named, plan, stamp }: CommitRequest<Planned>,
): Decision<Committed | RefusalOf<Planned>> {
  for (const at of named) if (found.folders.has(keyOf(spaces, at))) throw isFolder(at);
  const planned = planEffects(spaces, named, found.kept, plan);
  if (planned.kind === "refused") return { changed: [], done: () => planned.answer };
  const { effects } = planned;
  assertPlaces(effects, found.above, spaces);
  if (effects.length === 0) return { changed: [], done: () => committed([]) };
  return {
    writes: writesOf(effects, found, stamp, spaces),
    changed: effects.map(({ at }) => ({ space: spaces.of(at.root), path: at.path })),
    done: () => {
      for (const effect of effects) remember(database, spaces, effect, found.time);
      return committed(effects);
    },
  };
}

/** Of one document alone; undefined where it takes a look first. */
function guess<Planned extends Planning>(
  database: Database,
  spaces: Spaces,
  { named, plan, stamp }: CommitRequest<Planned>,
): Guess<Committed | RefusalOf<Planned>> | undefined {
  const [only, ...others] = named;
  if (!only || others.length > 0) return undefined;
  const [space, key] = [spaces.of(only.root), keyOf(spaces, only)];
  const effect = guessedEffect(spaces, only, database.known.get(key), plan);
  const write = effect && guessedWrite(space, effect, { stamp, doubts: database.known.doubts(space) });
  if (!write) return undefined;
  return {
    ...write,
    learn: (found) => database.known.set(key, found),
    done: (time) => {
      remember(database, spaces, effect, time);
      return committed([effect]);
    },
  };
}

/** What it would be, if the guess were right; undefined where it is refused, which is not to be guessed. */
function guessedEffect<Planned extends Planning>(
  spaces: Spaces,
  only: Address,
  believed: Kept | undefined,
  plan: (current: Current) => Planned,
): Effect | undefined {
  try {
    const kept = new Map(believed ? [[keyOf(spaces, only), believed]] : []);
    const planned = planEffects(spaces, [only], kept, plan);
    if (planned.kind === "refused") return undefined;
    assertPlaces(planned.effects, new Set(), spaces);
    return planned.effects[0];
  } catch {
    // Whoever holds the space is told by the same plan whether it is so.
    return undefined;
  }
}

function keyOf(spaces: Spaces, { root, path }: Address): string {
  return keyIn(spaces.of(root), path);
}

function remember(database: Database, spaces: Spaces, { at, after }: Effect, time: Date): void {
  database.known.set(keyOf(spaces, at), after && { ...after, modified: time.getTime() });
}

function committed(effects: readonly Effect[]): Committed {
  const outcomes = effects.map(({ at, after, before }): Outcome => ({ at, rev: after?.rev, was: before?.rev }));
  return { kind: "committed", outcomes };
}

type PlannedEffects<Planned> =
  | { readonly kind: "planned"; readonly effects: readonly Effect[] }
  | { readonly kind: "refused"; readonly answer: RefusalOf<Planned> };

function planEffects<Planned extends Planning>(
  spaces: Spaces,
  named: readonly Address[],
  kept: Held["kept"],
  plan: (current: Current) => Planned,
): PlannedEffects<Planned> {
  const keys = new Set(named.map((at) => keyOf(spaces, at)));
  const keptAt = (at: Address): Kept | undefined => {
    const key = keyOf(spaces, at);
    if (keys.has(key)) return kept.get(key);
    throw new RecollectError("INVALID_ARGUMENT", `“${at.path}” was not named when the operation began.`);
  };
  const planned = plan((at) => {
    const found = keptAt(at);
    return found && toStored(found, at.path);
  });
  if (!isChanges(planned)) return { kind: "refused", answer: planned as RefusalOf<Planned> };
  assertApplicable(planned, keptAt);
  return { kind: "planned", effects: planned.flatMap((change) => effectsOf(change, keptAt)) };
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

function isReadOnly(root: string): RecollectError {
  return new RecollectError("READ_ONLY", `“${root}” is read-only.`, { data: { root } });
}

function tooLong({ root, path }: Address, limit: number): RecollectError {
  const size = Buffer.byteLength(path);
  const says = `Invalid path: it has ${size} bytes, and in a database “${root}” takes ${limit}. Give a shorter one.`;
  return new RecollectError("INVALID_PATH", says, { data: { rule: "too-long", size, limit } });
}
