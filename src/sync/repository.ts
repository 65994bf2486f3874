import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { syncFailure } from "./sync-failure.ts";
import type { SyncGit } from "./sync-git.ts";
import { type EntryTree, fromPath, parseTree, splitAtNul, type TreeEntry, toPath } from "./tree-entries.ts";

/** References of our own, beside the user's branches. */
export const syncRefs = {
  /** What is just being made, so that nobody's clean-up takes it. */
  making: "refs/recollect/making",
  /** What the remote has, before it was looked at. Each time another one: a git whose parent was killed goes on. */
  incoming: (id: string) => `refs/recollect/incoming/${id}`,
  /** What the remote was last known to have. */
  known: "refs/recollect/known",
  /** A merge that is being put into the folder, and what the folder had before. */
  merging: "refs/recollect/merging",
  mergingFrom: "refs/recollect/merging-from",
  /** What was here before a rewritten history was taken over. */
  beforeRewrite: (id: string) => `refs/recollect/before-rewrite/${id}`,
} as const;

export interface RepositoryState {
  /** The name of the branch that is checked out. */
  readonly branch: string;
  /** Undefined where it has no revision yet. */
  readonly head: string | undefined;
  /** The ids of our own references, by their names. */
  readonly refs: ReadonlyMap<string, string>;
}

/** What becomes of a file: its bytes, a file that git has already, or nothing. */
export type NewEntry = { readonly bytes: Uint8Array } | TreeEntry | undefined;

export interface RefChange {
  readonly ref: string;
  /** Undefined where it is to go. */
  readonly to: string | undefined;
  /** What it must be now; null where it must not be there. */
  readonly from?: string | null;
}

interface NewCommit {
  readonly changes: ReadonlyMap<string, NewEntry>;
  /** The first is what the changes are made to. */
  readonly parents: readonly string[];
  /** Gets the tree, for a message that names it. */
  readonly message: (tree: string) => string;
}

/** The user's repository, or the clone that is kept for them: what sync reads and writes of it. */
export interface SyncRepository {
  readonly gitDir: string;
  /** The id that git gives to a file of these bytes. */
  idOf(bytes: Uint8Array): string;
  /** Throws where somebody is in the middle of something. */
  state(): Promise<RepositoryState>;
  treeOf(commit: string | undefined): Promise<EntryTree>;
  contentsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Objects of any kind, as git keeps them. */
  objectsOf(ids: readonly string[]): Promise<readonly Buffer[]>;
  commit(made: NewCommit): Promise<string>;
  /** All or none of them; false where one is not as expected. */
  moveRefs(changes: readonly RefChange[]): Promise<boolean>;
  /** What is staged. */
  index(): Promise<ReadonlyMap<string, Pick<TreeEntry, "mode" | "id">>>;
  /** False where another process is at it. */
  setIndex(entries: ReadonlyMap<string, Pick<TreeEntry, "mode" | "id"> | undefined>): Promise<boolean>;
  /** Files that are not in the folder, and are not to be missed there. */
  hideFromStatus(paths: readonly string[]): Promise<void>;
}

const underWay = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];
/** What a revision holds never changes; the last few are asked for again and again. */
const mostTrees = 6;
const noName = { name: "Recollect", email: "recollect@localhost" };

export async function openSyncRepository(folder: string, git: SyncGit): Promise<SyncRepository> {
  const asked = ["rev-parse", "--absolute-git-dir", "--show-object-format", "--show-toplevel"];
  const [gitDir = "", format = "sha1", top = ""] = (await git.run(asked)).toString("utf8").split("\n");
  if (realpathSync(top) !== realpathSync(folder)) throw syncFailure("git", { more: "The folder is not its top." });
  const none = "0".repeat(format === "sha256" ? 64 : 40);

  const trees = new Map<string, EntryTree>();
  let person: Record<string, string> | undefined;

  async function state(): Promise<RepositoryState> {
    const ref = /^ref: (refs\/heads\/\S+)\n$/.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1];
    if (ref === undefined || underWay.some((name) => existsSync(join(gitDir, name)))) throw syncFailure("unfinished");
    const printed = await git.run(["for-each-ref", "--format=%(refname) %(objectname)", ref, "refs/recollect/"]);
    const lines = printed
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    const refs = new Map(lines.map((line) => line.split(" ") as [string, string]));
    return { branch: ref.slice("refs/heads/".length), head: refs.get(ref), refs };
  }

  async function identity(): Promise<Record<string, string>> {
    const { printed } = await git.attempt(["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
    const found = new Map(splitAtNul(printed).map((line) => line.toString("utf8").split("\n", 2) as [string, string]));
    const plain = (text: string | undefined) => text?.replace(/[<>\p{Cc}]/gu, "").trim() || undefined;
    const name = plain(found.get("user.name")) ?? noName.name;
    const email = plain(found.get("user.email")) ?? noName.email;
    return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  }

  /** Made as a revision of its own, which names everything new until the real one does. */
  async function makeTree(
    parent: string | undefined,
    changes: NewCommit["changes"],
    before: EntryTree,
  ): Promise<string> {
    const printed = await git.run(["-c", "fastimport.unpackLimit=100", "fast-import", "--quiet", "--done", "--force"], {
      input: treeCommands(parent, changes, before),
    });
    const [, tree] = /^040000 tree ([0-9a-f]+)/m.exec(printed.toString("latin1")) ?? [];
    if (tree === undefined) throw syncFailure("git", { cause: "git fast-import made no tree" });
    return tree;
  }

  async function treeOf(commit: string | undefined): Promise<EntryTree> {
    if (commit === undefined) return new Map();
    const known = trees.get(commit);
    return remember(commit, known ?? parseTree(await git.run(["ls-tree", "-r", "-l", "-z", "--full-tree", commit])));
  }

  function remember(commit: string, tree: EntryTree): EntryTree {
    trees.delete(commit);
    trees.set(commit, tree);
    for (const oldest of [...trees.keys()].slice(0, Math.max(0, trees.size - mostTrees))) trees.delete(oldest);
    return tree;
  }

  function idOf(bytes: Uint8Array): string {
    return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  }

  async function readBatch(ids: readonly string[]): Promise<GitObject[]> {
    if (ids.length === 0) return [];
    return parseBatch(await git.run(["cat-file", "--batch"], { input: [Buffer.from(`${ids.join("\n")}\n`)] }));
  }

  async function setIndex(entries: Parameters<SyncRepository["setIndex"]>[0]): Promise<boolean> {
    if (entries.size === 0) return true;
    const lines = [...entries].map(([path, entry]) => {
      const said = entry ? `${entry.mode} ${entry.id} 0\t` : `0 ${none} 0\t`;
      return Buffer.concat([Buffer.from(said), fromPath(path), Buffer.from([0])]);
    });
    const ended = await git.attempt(["update-index", "-z", "--index-info"], { input: lines });
    return ended.code === 0;
  }

  return {
    gitDir,
    idOf,
    state,
    treeOf,
    contentsOf: async (ids) => {
      const found = await readBatch(ids);
      if (found.some(({ kind }) => kind !== "blob")) throw syncFailure("git", { cause: "not a file in git" });
      return new Map(found.map(({ id, bytes }) => [id, bytes]));
    },
    objectsOf: async (ids) => (await readBatch(ids)).map(({ bytes }) => bytes),
    commit: async ({ changes, parents, message }) => {
      person ??= await identity();
      const before = await treeOf(parents[0]);
      const tree = await makeTree(parents[0], changes, before);
      const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
      const printed = await git.run(args, { input: [Buffer.from(message(tree))], env: person });
      const id = printed.toString("utf8").trim();
      remember(id, withChanges(before, changes, idOf));
      return id;
    },
    moveRefs: async (changes) => {
      const lines = changes.map(({ ref, to, from }) => {
        const old = from === undefined ? "" : ` ${from ?? none}`;
        return to === undefined ? `delete ${ref}${old}\n` : `update ${ref} ${to}${old}\n`;
      });
      const ended = await git.attempt(["update-ref", "-m", "recollect: sync", "--stdin"], {
        input: [Buffer.from(lines.join(""))],
      });
      return ended.code === 0;
    },
    index: async () => {
      const lines = splitAtNul(await git.run(["ls-files", "-s", "-z"]));
      return new Map(
        lines.map((line) => {
          const tab = line.indexOf(9);
          const [mode = "", id = "", stage] = line.toString("latin1", 0, tab).split(" ");
          if (stage !== "0") throw syncFailure("unfinished");
          return [toPath(line.subarray(tab + 1)), { mode, id }];
        }),
      );
    },
    setIndex,
    hideFromStatus: async (paths) => {
      if (paths.length === 0) return;
      const input = paths.map((path) => Buffer.concat([fromPath(path), Buffer.from([0])]));
      await git.attempt(["update-index", "-z", "--skip-worktree", "--stdin"], { input });
    },
  };
}

function withChanges(tree: EntryTree, changes: NewCommit["changes"], idOf: (bytes: Uint8Array) => string): EntryTree {
  const next = new Map(tree);
  for (const path of changes.keys()) next.delete(path);
  for (const [path, entry] of changes) {
    if (!entry) continue;
    const made =
      "bytes" in entry ? { mode: modeOf(tree.get(path)), id: idOf(entry.bytes), size: entry.bytes.length } : entry;
    next.set(path, made);
  }
  return next;
}

/** Other bytes do not make a program of a document, or a document of a program. */
function modeOf(before: TreeEntry | undefined): string {
  return before?.mode === "100755" ? before.mode : "100644";
}

function* treeCommands(
  parent: string | undefined,
  changes: NewCommit["changes"],
  before: EntryTree,
): Generator<Buffer> {
  const begin = `feature done\ncommit ${syncRefs.making}\nmark :1\ncommitter Recollect <> 0 +0000\ndata 0\n`;
  yield Buffer.from(`${begin}${parent === undefined ? "" : `from ${parent}\n`}`);
  // What goes first: a file may take the place of a folder, and a folder that of a file.
  for (const [path, entry] of changes) if (!entry) yield command("D ", path);
  for (const [path, entry] of changes) {
    if (!entry) continue;
    if (!("bytes" in entry)) yield command(`M ${entry.mode} ${entry.id} `, path);
    else {
      yield command(`M ${modeOf(before.get(path))} inline `, path);
      yield Buffer.concat([Buffer.from(`data ${entry.bytes.length}\n`), entry.bytes, Buffer.from("\n")]);
    }
  }
  yield Buffer.from(`\nls :1 ""\ndone\n`);
}

function command(start: string, path: string): Buffer {
  const quoted = fromPath(path).toString("latin1").replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return Buffer.concat([Buffer.from(start), Buffer.from(`"${quoted}"\n`, "latin1")]);
}

interface GitObject {
  readonly id: string;
  readonly kind: string;
  readonly bytes: Buffer;
}

/** What is missing is passed over. */
function parseBatch(printed: Buffer): GitObject[] {
  const found: GitObject[] = [];
  for (let at = 0; at < printed.length; ) {
    const end = printed.indexOf(10, at);
    const [id = "", kind = "", size] = printed.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (kind === "missing") continue;
    found.push({ id, kind, bytes: printed.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return found;
}
