import type { BackendDocuments } from "../../kernel/backend.ts";
import { assertResolved, type ExistingPath, parseExistingPath, toResolved } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Address, Change, Committed, Outcome, Planning, RefusalOf, Resolved, Store } from "../../kernel/store.ts";
import type { Database } from "./database.ts";
import { isCommitted, openPostgresStore, type PostgresStoreOptions } from "./store.ts";

export interface FolderSpacesOptions {
  readonly database: Database;
  readonly root: string;
  /** The folder `a` of the root is the space `BASE/a`. */
  readonly base: string;
  readonly written?: PostgresStoreOptions["written"];
}

/**
 * One root in which each folder is a space of its own, such as that of each agent: nobody who works in one holds another,
 * and the database itself keeps them apart.
 */
export function openFolderSpaces({ database, root, base, written }: FolderSpacesOptions): BackendDocuments {
  let isClosed = false;

  function inside(folder: string): BackendDocuments {
    if (isClosed) throw new RecollectError("INVALID_ARGUMENT", "This store was closed. Open it again.");
    return openPostgresStore({
      database,
      roots: [{ name: root, space: `${base}/${folder}` }],
      ...(written && { written }),
    });
  }

  /** The folder that a place is in, and its path there. */
  function split(at: Address): { readonly folder: string; readonly at: Address } {
    const { path } = at;
    const end = path.indexOf("/");
    if (at.root !== root || end < 0) {
      throw new RecollectError("NOT_A_DOCUMENT", `“${path}” is a folder.`, { data: { root, path } });
    }
    return { folder: path.slice(0, end), at: { root, path: path.slice(end + 1) as ExistingPath } };
  }

  async function commit<Planned extends Planning>(
    addresses: readonly Resolved[],
    ...[plan, stamp]: [
      (current: Parameters<Parameters<Store["commit"]>[1]>[0]) => Planned,
      Parameters<Store["commit"]>[2],
    ]
  ): Promise<Committed | RefusalOf<Planned>> {
    addresses.forEach(assertResolved);
    const places = addresses.map(split);
    const [folder, ...others] = new Set(places.map((place) => place.folder));
    if (folder === undefined || others.length > 0) {
      throw new RecollectError("INVALID_ARGUMENT", "One operation works in the files of one agent.");
    }
    const outer = <Path extends ExistingPath>(at: Address<Path>) => ({ root, path: `${folder}/${at.path}` as Path });
    const planned = (current: Parameters<typeof plan>[0]): Planned => {
      const answer = plan((at) => current(split(at).at));
      return Array.isArray(answer) ? (answer.map(innerChange) as unknown as Planned) : answer;
    };
    const done = await inside(folder).commit(
      places.map(({ at }) => toResolved(at.root, at.path)),
      planned,
      stamp,
    );
    if (!isCommitted(done)) return done;
    const outcomes = done.outcomes.map((one): Outcome => ({ ...one, at: outer(one.at) }));
    return { ...done, outcomes };
  }

  function innerChange(change: Change): Change {
    const inner = <Path extends ExistingPath>(at: Address<Path>) => split(at).at as Address<Path>;
    if (change.kind === "move") return { ...change, from: inner(change.from), to: inner(change.to) };
    return { ...change, at: inner(change.at) } as Change;
  }

  /** All that is asked for lies in one folder: which others there are is nobody's business. */
  function folderOf(folder: ExistingPath | undefined): { readonly name: string; readonly below?: ExistingPath } {
    const [name = "", ...rest] = folder === undefined ? [] : parseExistingPath(folder).split("/");
    if (name === "") throw new RecollectError("NOT_ALLOWED", "Say whose files are meant.");
    return { name, ...(rest.length === 0 ? {} : { below: rest.join("/") as ExistingPath }) };
  }

  return {
    roots: [root],
    resolve: ({ root: asked, path }) => {
      if (asked !== root)
        throw new RecollectError("NOT_FOUND", `There is no root “${asked}”.`, { data: { root: asked } });
      return toResolved(root, parseExistingPath(path));
    },
    read: async (asked) => {
      assertResolved(asked);
      const { folder, at } = split(asked);
      return inside(folder).read(toResolved(at.root, at.path));
    },
    list: async ({ folder, after, ...request }) => {
      const { name, below } = folderOf(folder);
      const { entries, next } = await inside(name).list({
        ...request,
        ...(below === undefined ? {} : { folder: below }),
        ...(after === undefined ? {} : { after: after.startsWith(`${name}/`) ? after.slice(name.length + 1) : after }),
      });
      const outer = (path: string) => `${name}/${path}`;
      return {
        entries: entries.map((entry) => ({ ...entry, path: outer(entry.path) as ExistingPath })),
        next: next === undefined ? undefined : outer(next),
      };
    },
    browse: async ({ folder, ...request }) => {
      const { name, below } = folderOf(folder);
      const found = await inside(name).browse({ ...request, ...(below === undefined ? {} : { folder: below }) });
      const outer = (path: ExistingPath) => `${name}/${path}` as ExistingPath;
      return found && { folders: found.folders.map(outer), files: found.files.map(outer) };
    },
    recent: async () => [],
    commit,
    readBytes: async (asked) => {
      const { folder, at } = split(asked);
      return inside(folder).readBytes(at);
    },
    authorOf: async (asked, rev) => {
      const { folder, at } = split(asked);
      return inside(folder).authorOf(at, rev);
    },
    recover: async () => ({ completed: 0, discarded: 0 }),
    close: async () => {
      isClosed = true;
    },
  };
}
