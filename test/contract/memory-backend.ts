import { randomUUID } from "node:crypto";
import { comparePaths, type ExistingPath, parseExistingPath, type Rev, revisionOf } from "../../src/app.ts";
import type { Backend, BackendRoot } from "../../src/kernel/backend.ts";
import { assertApplicable, isChanges } from "../../src/kernel/conflict.ts";
import { assertResolved, toResolved } from "../../src/kernel/document-path.ts";
import { RecollectError } from "../../src/kernel/errors.ts";
import type { DocumentChange, LogRequest, Moment, Operation, RootHistory } from "../../src/kernel/root-history.ts";
import type { Source } from "../../src/kernel/source.ts";
import type { Address, Change, Outcome, Stamp } from "../../src/kernel/store.ts";

interface Kept {
  readonly content: string;
  readonly rev: Rev;
  readonly modified: number;
  /** The number of the change that made it. */
  readonly change: number;
}

interface Place {
  readonly documents: Map<string, Kept>;
  /** Oldest first. */
  readonly operations: Operation[];
}

/** What clients of one backend share, in the place of a disk or a database. */
export interface Memory {
  readonly places: Map<string, Place>;
  readonly contents: Map<Rev, string>;
  changes: number;
}

export function createMemory(): Memory {
  return { places: new Map(), contents: new Map(), changes: 0 };
}

/** The plainest backend there is: what a third one has to bring. It keeps no records, and nothing looks after it. */
export function openMemoryBackend(memory: Memory, roots: readonly BackendRoot[]): Backend {
  let isClosed = false;

  function placeOf(root: string): Place {
    const place = roots.find(({ name }) => name === root)?.place;
    if (isClosed) throw new RecollectError("INVALID_ARGUMENT", "This backend was closed.");
    if (place === undefined) throw new RecollectError("NOT_FOUND", `There is no root “${root}”.`);
    const found = memory.places.get(place) ?? { documents: new Map(), operations: [] };
    memory.places.set(place, found);
    return found;
  }

  function read(at: Address): Kept | undefined {
    const { documents } = placeOf(at.root);
    if ([...documents.keys()].some((path) => path.startsWith(`${at.path}/`))) throw notADocument(at.path);
    return documents.get(at.path);
  }

  /** What is named must not go through a document. */
  function readNamed(at: Address): Kept | undefined {
    const { documents } = placeOf(at.root);
    if (foldersAbove(at.path).some((folder) => documents.has(folder))) throw notADocument(at.path);
    return read(at);
  }

  function commit(changes: readonly Change[], stamp: Stamp): Outcome[] {
    const time = Date.now();
    const effects = changes.flatMap(effectsOf);
    const batch = effects.length > 1 ? { batch: randomUUID() } : {};
    const id = randomUUID();
    const outcomes = effects.map(({ at, content, change }) => {
      const { documents } = placeOf(at.root);
      const was = documents.get(at.path)?.rev;
      const rev = content === undefined ? undefined : revisionOf(Buffer.from(content));
      memory.changes += 1;
      if (content === undefined || rev === undefined) documents.delete(at.path);
      else {
        documents.set(at.path, { content, rev, modified: time, change: memory.changes });
        memory.contents.set(rev, content);
      }
      return { at, rev, was, change: { path: at.path, rev, was, ...change } };
    });
    for (const [root, own] of Map.groupBy(outcomes, ({ at }) => at.root)) {
      const made = { id, time: new Date(time).toISOString(), ...stamp, ...batch };
      placeOf(root).operations.push({ ...made, changes: own.map(({ change }) => change) });
    }
    return outcomes.map(({ at, rev, was }) => ({ at, rev, was }));
  }

  function effectsOf(change: Change): Effect[] {
    const { kind } = change;
    if (kind === "remove") return [{ at: change.at, content: undefined, change: { kind } }];
    if (kind === "put") return [{ at: change.at, content: change.content, change: { kind } }];
    if (kind === "append") {
      return [{ at: change.at, content: (read(change.at)?.content ?? "") + change.content, change: { kind } }];
    }
    const { from, to } = change;
    const isWithin = from.root === to.root;
    return [
      { at: to, content: read(from)?.content, change: { kind, ...(isWithin ? { from: from.path } : {}) } },
      { at: from, content: undefined, change: { kind, ...(isWithin ? { to: to.path } : {}) } },
    ];
  }

  return {
    parts: new Set(["documents", "feed", "history"]),
    documents: {
      roots: roots.map(({ name }) => name),
      resolve: ({ root, path }) => {
        if (!roots.some(({ name }) => name === root)) throw new RecollectError("NOT_FOUND", "There is no such root.");
        return toResolved(root, parseExistingPath(path));
      },
      read: async (at) => {
        assertResolved(at);
        return read(at);
      },
      readBytes: async (at) => {
        const found = read(at);
        return found && { bytes: Buffer.from(found.content), modified: found.modified };
      },
      authorOf: async ({ root, path }, rev) => {
        const last = placeOf(root).operations.findLast(({ changes }) => changes.some((one) => one.path === path));
        return last?.changes.find((one) => one.path === path)?.rev === rev ? last?.author : undefined;
      },
      list: async ({ root, folder = "", after = "", limit, details }) => {
        const found = [...placeOf(root).documents]
          .filter(([path]) => folder === "" || path.startsWith(`${parseExistingPath(folder)}/`))
          .filter(([path]) => after === "" || comparePaths(path, after) > 0)
          .sort(([one], [other]) => comparePaths(one, other));
        const entries = found.slice(0, limit).map(([path, { content, modified, rev }]) => ({
          ...{ path: path as ExistingPath, owner: root },
          ...(details ? { details: { size: Buffer.byteLength(content), modified, rev } } : {}),
        }));
        return { entries, next: found.length > limit ? entries.at(-1)?.path : undefined };
      },
      browse: async ({ root, folder }) => {
        const prefix = folder === undefined ? "" : `${parseExistingPath(folder)}/`;
        const { documents } = placeOf(root);
        if ([folder ?? "", ...foldersAbove(folder ?? "")].some((one) => documents.has(one))) throw notADocument(prefix);
        const below = [...documents.keys()].filter((path) => path.startsWith(prefix)).sort(comparePaths);
        if (below.length === 0 && folder !== undefined) return undefined;
        const rest = below.map((path) => path.slice(prefix.length).split("/"));
        const children = (areFolders: boolean) => [
          ...new Set(
            rest.filter(({ length }) => length > 1 === areFolders).map(([name]) => `${prefix}${name}` as ExistingPath),
          ),
        ];
        return { folders: children(true), files: children(false) };
      },
      recent: async ({ root, limit, folders }) =>
        [...placeOf(root).documents]
          .filter(([path]) => !folders || folders.includes(parentOf(path) as ExistingPath))
          .sort(([, one], [, other]) => other.change - one.change)
          .slice(0, limit)
          .map(([path, { modified }]) => ({ path: path as ExistingPath, time: new Date(modified).toISOString() })),
      commit: async (addresses, plan, stamp) => {
        addresses.forEach(assertResolved);
        for (const at of addresses) readNamed(at);
        const named = new Set(addresses.map(({ root, path }) => `${root}/${path}`));
        const current = (at: Address) => {
          if (named.has(`${at.root}/${at.path}`)) return read(at);
          throw new RecollectError("INVALID_ARGUMENT", `“${at.path}” was not named.`);
        };
        const planned = plan(current);
        if (!isChanges(planned)) return planned as Exclude<typeof planned, readonly Change[]>;
        assertApplicable(planned, current);
        return { kind: "committed", outcomes: commit(planned, stamp) };
      },
      recover: async () => ({ completed: 0, discarded: 0 }),
      close: async () => {
        isClosed = true;
      },
    },
    feed: (root, { isDocument = () => true } = {}) => feedOf(root, placeOf(root), isDocument),
    history: async (root) => historyOf(root, placeOf(root), memory.contents),
    beside: (others) => openMemoryBackend(memory, others),
    has: async (place) => memory.places.has(place),
    below: async (place) => {
      const names = [...memory.places.keys()].filter((one) => parentOf(one) === place);
      return names.map((one) => one.slice(place.length + 1));
    },
    close: async () => {
      isClosed = true;
    },
  };
}

interface Effect {
  readonly at: Address;
  /** Undefined where it is gone. */
  readonly content: string | undefined;
  readonly change: Pick<DocumentChange, "kind" | "from" | "to">;
}

function feedOf(root: string, place: Place, isDocument: (path: string) => boolean): Source {
  let seen: number | undefined;
  return {
    root,
    identity: `memory:${root}`,
    survey: (at = "") => {
      const found = [...place.documents].filter(
        ([path]) => isDocument(path) && (at === "" || path === at || path.startsWith(`${at}/`)),
      );
      const folders = Map.groupBy(found, ([path]) => parentOf(path));
      return [...folders].map(([folder, inside]) => ({
        folder,
        documents: inside.map(([path, { change }]) => ({ path, stamp: change })),
      }));
    },
    changes: async () => {
      if (seen === undefined) return undefined;
      const news = place.operations.slice(seen).flatMap(({ changes }) => changes.map(({ path }) => path));
      seen = place.operations.length;
      return [...new Set(news)].filter(isDocument);
    },
    watch: async () => {
      seen ??= place.operations.length;
      return { kind: "watching" };
    },
    read: async (path) => {
      const found = place.documents.get(path);
      return found && { content: found.content, stamp: found.change, modified: found.modified };
    },
    close: () => {},
  };
}

function historyOf(root: string, { operations }: Place, contents: ReadonlyMap<Rev, string>): RootHistory {
  /** From the operation of this number backwards, the document under the names that it had. */
  function logOfDocument(start: number, first: string, limit: number, isAsked: (one: Operation) => boolean) {
    const found: Operation[] = [];
    let path = first;
    for (let at = start; at >= 0; at -= 1) {
      const operation = operations[at];
      const change = operation?.changes.find((one) => one.path === path);
      if (!operation || !change) continue;
      if (found.length === limit) return { operations: found, next: JSON.stringify([at, path]) };
      if (isAsked(operation)) found.push({ ...operation, changes: [change] });
      path = change.from ?? path;
    }
    return { operations: found, next: undefined };
  }

  function logOfAll(start: number, { folder, limit }: LogRequest, isAsked: (one: Operation) => boolean) {
    const found: Operation[] = [];
    for (let at = start; at >= 0; at -= 1) {
      const operation = operations[at];
      const isInside = ({ path }: DocumentChange) => folder === undefined || path.startsWith(`${folder}/`);
      const changes = operation?.changes.filter(isInside) ?? [];
      if (!operation || changes.length === 0 || !isAsked(operation)) continue;
      if (found.length === limit) return { operations: found, next: JSON.stringify([at]) };
      found.push({ ...operation, changes });
    }
    return { operations: found, next: undefined };
  }

  function contentOf({ id, path, side, rev }: Moment): Uint8Array | undefined {
    const at = operations.findIndex((one) => one.id === id) - (side === "before" ? 1 : 0);
    const changes = operations.slice(0, at + 1).flatMap((one) => one.changes);
    const known = rev ?? changes.findLast((change) => change.path === path)?.rev;
    return known === undefined ? undefined : Buffer.from(contents.get(known) ?? "");
  }

  return {
    root,
    catchUp: async () => ({ kind: "recorded", operations: 0 }),
    log: async (request) => {
      const { author, run, batch, since, until, path, after, limit } = request;
      const isAsked = (one: Operation) =>
        (author === undefined || one.author === author) &&
        (run === undefined || one.run === run) &&
        (batch === undefined || one.batch === batch) &&
        (since === undefined || one.time >= new Date(since).toISOString()) &&
        (until === undefined || one.time <= new Date(until).toISOString());
      const token: [number, string?] | undefined = after === undefined ? undefined : JSON.parse(after);
      const [start, name = path] = token ?? [operations.length - 1];
      return name === undefined ? logOfAll(start, request, isAsked) : logOfDocument(start, name, limit, isAsked);
    },
    contents: async (moments) => moments.map(contentOf),
    maintain: async () => false,
    trim: async () => 0,
    acceptLoss: async () => false,
    status: async () => ({ refusal: undefined, bytes: 0, faults: [] }),
    close: async () => {},
  };
}

function foldersAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function notADocument(path: string): RecollectError {
  return new RecollectError("NOT_A_DOCUMENT", `“${path}” is no document.`, { data: { reason: "folder" } });
}
