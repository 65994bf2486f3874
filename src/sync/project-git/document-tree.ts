import { lstatSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../backends/files/storage-error.ts";
import { readObjects } from "../../history/git/read-objects.ts";
import { isExistingPath } from "../../kernel/document-path.ts";
import type { LeftOut } from "./left-out.ts";
import type { ProjectGit, WorkTree } from "./project-git.ts";

export interface CommittedFolder {
  /** A real path. */
  readonly folder: string;
  /** Paths of the documents that are in it. */
  documents(): Iterable<string>;
  /** Whether the guard lets these bytes pass: what came in another way must not be spread. */
  accepts(path: string, bytes: Uint8Array): Promise<boolean>;
}

export interface TreeSource {
  readonly git: ProjectGit;
  readonly tree: WorkTree;
  /** Each with its path relative to the top of the work tree, "" for all of it. */
  readonly folders: readonly { readonly path: string; readonly folder: CommittedFolder }[];
}

/** A path that differs from the last commit, with what an index says of it. */
interface PathChange {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

export interface DocumentTree {
  readonly id: string;
  /** What goes first, so that a folder can take the place of a document. */
  readonly changes: readonly PathChange[];
  readonly left: readonly LeftOut[];
}

const goneMode = "000000";

/** What the last commit has, with the documents as they are now, without what must not be committed. */
export async function makeDocumentTree(source: TreeSource, head: string, indexFile: string): Promise<DocumentTree> {
  const left = new Map<string, string>();
  for (;;) {
    const id = await writeTree(source, head, { indexFile, left });
    const changes = await changesBetween(source.git, head, id);
    const refused = await refusedOf(source, changes);
    if (refused.length === 0) return { id, changes, left: [...left].map(([path, why]) => ({ path, why })) };
    for (const path of refused) left.set(path, "the guard refuses it");
  }
}

/** The guard looks at what would be committed, and not at the file, which somebody may have changed since. */
async function refusedOf({ git, folders }: TreeSource, changes: readonly PathChange[]): Promise<string[]> {
  const there = Map.groupBy(
    changes.filter(({ mode }) => mode !== goneMode),
    ({ blob }) => blob,
  );
  const refused: string[] = [];
  for await (const { id, bytes } of readObjects([...there.keys()], git)) {
    for (const { path } of there.get(id) ?? []) if (!(await isAccepted(folders, path, bytes))) refused.push(path);
    there.delete(id);
  }
  return [...refused, ...[...there.values()].flat().map(({ path }) => path)];
}

async function isAccepted(folders: TreeSource["folders"], path: string, bytes: Uint8Array): Promise<boolean> {
  for (const { path: at, folder } of folders) {
    if (at !== "" && !path.startsWith(`${at}/`)) continue;
    if (!(await folder.accepts(at === "" ? path : path.slice(at.length + 1), bytes))) return false;
  }
  return true;
}

async function writeTree(
  source: TreeSource,
  head: string,
  { indexFile, left }: { readonly indexFile: string; readonly left: Map<string, string> },
): Promise<string> {
  const { git, tree } = source;
  const inTop = ["-C", tree.folder];
  const env = { GIT_INDEX_FILE: indexFile };
  await git.run([...inTop, "read-tree", head], { env });
  const documents = documentsOf(source);
  const tracked = (await listFiles(source, ["--cached"], env)).filter(await isFree(source));
  const fresh = await listFiles(source, ["--others", "--exclude-standard"], env);
  const there = [...tracked, ...fresh].filter((path) => documents.has(path) && !left.has(path));
  for (const [path, why] of await findLocalFilters(git, tree, there)) left.set(path, why);
  const isFolder = foldersAround(fresh);
  const gone = tracked.filter((path) => !documents.has(path) && (isFolder.has(path) || isGoneDocument(tree, path)));
  const input = [...gone, ...there.filter((path) => !left.has(path))].map((path) => `${path}\0`).join("");
  if (input !== "") await git.run([...inTop, "update-index", "-z", "--add", "--remove", "--stdin"], { input, env });
  return (await git.run([...inTop, "write-tree"], { env })).trim();
}

function documentsOf({ folders }: TreeSource): ReadonlySet<string> {
  return new Set(
    folders.flatMap(({ path, folder }) =>
      [...folder.documents()].filter(isPlain).map((one) => (path === "" ? one : `${path}/${one}`)),
    ),
  );
}

async function listFiles({ git, tree, folders }: TreeSource, flags: readonly string[], env = {}): Promise<string[]> {
  const specs = folders.map(({ path }) => (path === "" ? "." : path));
  const printed = await git.run(["-C", tree.folder, "ls-files", "-z", ...flags, "--", ...specs], { env });
  return printed.split("\0").filter(Boolean);
}

/**
 * Of the user's own index: what git was asked to leave alone there (skip-worktree, as in a sparse checkout, and
 * assume-unchanged) and what was taken out of it while the file stays is left as it is.
 */
async function isFree(source: TreeSource): Promise<(path: string) => boolean> {
  const listed = await listFiles(source, ["--cached", "-v"]);
  const own = new Map(listed.map((line) => [line.slice(2), line.slice(0, 1)]));
  return (path) => {
    const tag = own.get(path);
    return tag === undefined ? isMissing(source.tree, path) : tag !== "S" && tag === tag.toUpperCase();
  };
}

/** Folders of files that are new: what has the name of one in the last commit is no document any more. */
function foldersAround(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => {
      const names = path.split("/");
      return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
    }),
  );
}

/** Only what could have been a document: other files that a person deleted are the person's to commit. */
function isGoneDocument(tree: WorkTree, path: string): boolean {
  return isExistingPath(path) && isPlain(path.slice(path.lastIndexOf("/") + 1)) && isMissing(tree, path);
}

function isMissing({ folder }: WorkTree, path: string): boolean {
  try {
    return lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // A document lies where its folder was.
    if (hasCode(error, "ENOTDIR")) return true;
    throw error;
  }
}

/** Files such as .gitkeep are no documents that anybody wrote through us. */
function isPlain(path: string): boolean {
  return !path.startsWith(".") && !path.includes("/.");
}

async function changesBetween(git: ProjectGit, head: string, made: string): Promise<PathChange[]> {
  const printed = await git.run(["diff-tree", "-r", "-z", "--no-renames", "--full-index", head, made]);
  const words = printed.split("\0");
  const changes = words.flatMap((word, index) => {
    const [, mode, blob] = /^:\d{6} (\d{6}) [0-9a-f]{40,64} ([0-9a-f]{40,64}) [A-Z]/.exec(word) ?? [];
    const path = words[index + 1];
    return mode === undefined || blob === undefined || path === undefined ? [] : [{ path, mode, blob }];
  });
  return changes.toSorted((one, other) => Number(other.mode === goneMode) - Number(one.mode === goneMode));
}

const localScopes: ReadonlySet<string> = new Set(["local", "worktree"]);

/**
 * Files that git would hand to a program which the repository's own settings name, each with the reason to leave it
 * out: such settings may have come with a copy of the repository. To pass the program by would commit what it was to
 * hide, as where a repository keeps its files encrypted. Programs of the user's own settings are the user's choice.
 */
async function findLocalFilters(
  git: ProjectGit,
  { folder }: WorkTree,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const filters = await localFilters(git);
  if (filters.size === 0 || paths.length === 0) return new Map();
  const input = paths.map((path) => `${path}\0`).join("");
  const printed = await git.run(["-C", folder, "check-attr", "-z", "--stdin", "filter"], { input });
  const words = printed.split("\0");
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = "", , name = ""] = words.slice(at, at + 3);
    if (filters.has(name)) found.set(path, `the repository's own settings have a program filter it (${name})`);
  }
  return found;
}

/** Names of filters that run a program by settings of the repository itself. */
async function localFilters(git: ProjectGit): Promise<ReadonlySet<string>> {
  const asked = ["config", "--show-scope", "-z", "--get-regexp", "^filter\\..*\\.(clean|process)$"];
  const { printed } = await git.attempt(asked);
  const words = printed.toString("utf8").split("\0");
  return new Set(
    words.flatMap((scope, index) => {
      if (index % 2 !== 0 || !localScopes.has(scope)) return [];
      return /^filter\.(.*)\.(?:clean|process)$/s.exec(words[index + 1]?.split("\n", 1)[0] ?? "")?.[1] ?? [];
    }),
  );
}
