import { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { isExistingPath } from "../core/document-path.ts";
import { isRecollectError } from "../core/errors.ts";
import { createProjectGit, findWorkTree, isIgnored, type ProjectGit, type WorkTree } from "./project-git.ts";

interface CommittedFolder {
  /** A real path. */
  readonly folder: string;
  /** Paths of the documents that are in it. */
  documents(): Iterable<string>;
  /** Whether the guard lets one pass: what came in another way must not be spread. */
  accepts(path: string): Promise<boolean>;
}

export interface CommitRequest {
  readonly project: string;
  readonly folders: readonly CommittedFolder[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dryRun?: boolean | undefined;
}

export type ProjectCommit =
  | {
      readonly kind: "committed";
      readonly commit: string;
      readonly paths: readonly string[];
      /** Those that the guard refuses. */
      readonly left: readonly string[];
    }
  /** There is nothing that differs. */
  | { readonly kind: "nothing" }
  /** What would be committed, where it was only asked. */
  | { readonly kind: "waits"; readonly paths: readonly string[]; readonly left: readonly string[] }
  | { readonly kind: "skipped"; readonly why: string };

/** While somebody else commits on the same branch. */
const mostAttempts = 3;

/** What git leaves in its folder while an operation of several steps is under way. */
const underWay: readonly (readonly [file: string, what: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["BISECT_LOG", "a bisection"],
];

/**
 * Commits documents, and nothing else, on the branch that is checked out (HIST-3b). Whatever else is staged, changed or
 * untracked stays as it is. The index entries of these documents come first: at no moment would a commit of the user
 * take them out again, and whoever is killed in between leaves documents staged, which the next time are committed.
 */
export async function commitDocuments(request: CommitRequest): Promise<ProjectCommit> {
  try {
    return await commitAll(request);
  } catch (error) {
    if (isRecollectError(error)) return skipped(error.message);
    throw error;
  }
}

async function commitAll(request: CommitRequest): Promise<ProjectCommit> {
  const git = createProjectGit({ folder: request.project, env: request.env });
  const tree = await findWorkTree(git);
  if (!tree) return skipped("the project lies in no git repository");
  const folders = await foldersIn(request, git, tree);
  if (folders.kind === "skipped") return folders;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const done = await attemptCommit(request, { git, tree, folders: folders.inTree });
    if (done !== "again") return done;
  }
  return skipped("somebody else commits there all the time");
}

interface InTree {
  /** Relative to the top of the work tree, "" for all of it. */
  readonly path: string;
  readonly folder: CommittedFolder;
}

async function foldersIn({ folders }: CommitRequest, git: ProjectGit, tree: WorkTree) {
  const top = realpathSync(tree.folder);
  const inTree: InTree[] = [];
  let ignored = 0;
  for (const folder of folders) {
    const way = relative(top, folder.folder);
    if (way === ".." || way.startsWith(`..${sep}`) || way.startsWith(sep) || !existsSync(folder.folder)) continue;
    const path = way.split(sep).join("/");
    // A repository inside of the repository, such as a clone or a submodule, has branches of its own.
    const own = await git.attempt(["-C", folder.folder, "rev-parse", "--show-toplevel"]);
    if (own.code !== 0 || own.printed.toString("utf8").trim() !== tree.folder) continue;
    if (await isIgnored(git, tree, path === "" ? "recollect.md" : `${path}/recollect.md`)) ignored += 1;
    else inTree.push({ path, folder });
  }
  if (inTree.length > 0) return { kind: "found", inTree } as const;
  return skipped(ignored > 0 ? "git ignores the folders of memory" : "no folder of memory lies in the repository");
}

interface Place {
  readonly git: ProjectGit;
  readonly tree: WorkTree;
  readonly folders: readonly InTree[];
}

async function attemptCommit({ dryRun }: CommitRequest, place: Place): Promise<ProjectCommit | "again"> {
  const { git, tree } = place;
  const why = await whyNot(git, tree);
  if (why !== undefined) return skipped(why);
  const branch = (await git.run(["symbolic-ref", "--quiet", "HEAD"])).trim();
  const head = (await git.run(["rev-parse", "--verify", "--quiet", "HEAD"])).trim();
  const draft = mkdtempSync(join(tmpdir(), "recollect-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(draft, "index") };
    const { made, changes, left } = await makeClean(place, head, env);
    const paths = changes.map(({ path }) => path);
    if (paths.length === 0)
      return left.length === 0 ? { kind: "nothing" } : skipped(`the guard refuses ${left.join(", ")}`);
    if (dryRun) return { kind: "waits", paths, left };
    const commit = await git.attempt(["commit-tree", made, "-p", head, "-F", "-"], { input: messageOf(paths) });
    if (commit.code !== 0) return skipped("git does not know who you are: set user.name and user.email");
    const id = commit.printed.toString("utf8").trim();
    const staged = await git.attempt(["-C", tree.folder, "update-index", "-z", "--add", "--index-info"], {
      input: changes.map(({ entry, path }) => `${entry}\t${path}\0`).join(""),
    });
    if (staged.code !== 0) return skipped("another git command holds the index");
    const moved = await git.attempt(["update-ref", "-m", "recollect: memory", branch, id, head]);
    return moved.code === 0 ? { kind: "committed", commit: id, paths, left } : "again";
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function whyNot(git: ProjectGit, { gitDir }: WorkTree): Promise<string | undefined> {
  const found = underWay.find(([file]) => existsSync(join(gitDir, file)));
  if (found) return `${found[1]} is under way`;
  if ((await git.attempt(["symbolic-ref", "--quiet", "HEAD"])).code !== 0) return "no branch is checked out";
  if ((await git.attempt(["rev-parse", "--verify", "--quiet", "HEAD"])).code !== 0) {
    return "the branch has no commit yet";
  }
  return (await git.run(["ls-files", "--unmerged", "-z"])) === "" ? undefined : "there are conflicts to settle";
}

/** Without what the guard refuses, which is looked at only where it changed. */
async function makeClean(place: Place, head: string, env: Record<string, string>) {
  const left = new Set<string>();
  for (;;) {
    const made = await makeTree(place, head, env, left);
    const changes = await changesBetween(place.git, head, made);
    const refused: string[] = [];
    for (const { path, isThere } of changes) if (isThere && !(await isAccepted(place, path))) refused.push(path);
    if (refused.length === 0) return { made, changes, left: [...left] };
    for (const path of refused) left.add(path);
  }
}

async function isAccepted({ folders }: Place, path: string): Promise<boolean> {
  for (const { path: at, folder } of folders) {
    if (at !== "" && !path.startsWith(`${at}/`)) continue;
    if (!(await folder.accepts(at === "" ? path : path.slice(at.length + 1)))) return false;
  }
  return true;
}

/** What the last commit has, with the documents as they are now; in an index of its own. */
async function makeTree(
  { git, tree, folders }: Place,
  head: string,
  env: Record<string, string>,
  left: ReadonlySet<string>,
): Promise<string> {
  const inTop = ["-C", tree.folder];
  await git.run([...inTop, "read-tree", head], { env });
  const documents = new Set(
    folders.flatMap(({ path, folder }) =>
      [...folder.documents()].filter(isPlain).map((one) => (path === "" ? one : `${path}/${one}`)),
    ),
  );
  const specs = folders.map(({ path }) => (path === "" ? "." : path));
  const listed = async (...flags: string[]) =>
    (await git.run([...inTop, "ls-files", "-z", ...flags, "--", ...specs], { env })).split("\0").filter(Boolean);
  const tracked = await listed("--cached");
  const fresh = await listed("--others", "--exclude-standard");
  const added = [...tracked, ...fresh].filter((path) => documents.has(path) && !left.has(path));
  const gone = tracked.filter((path) => !documents.has(path) && isGone(tree, path));
  const input = [...added, ...gone].map((path) => `${path}\0`).join("");
  if (input !== "") await git.run([...inTop, "update-index", "-z", "--add", "--remove", "--stdin"], { input, env });
  return (await git.run([...inTop, "write-tree"], { env })).trim();
}

/** Only what could have been a document: other files that a person deleted are the person's to commit. */
function isGone({ folder }: WorkTree, path: string): boolean {
  if (!isExistingPath(path) || !isPlain(path.slice(path.lastIndexOf("/") + 1))) return false;
  return lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined;
}

/** Files such as .gitkeep are no documents that anybody wrote through us. */
function isPlain(path: string): boolean {
  return !path.startsWith(".") && !path.includes("/.");
}

/** Each with what an index says of it. */
async function changesBetween(git: ProjectGit, head: string, made: string) {
  const printed = await git.run(["diff-tree", "-r", "-z", "--no-renames", "--full-index", head, made]);
  const words = printed.split("\0");
  return words.flatMap((word, index) => {
    const [, mode, blob] = /^:\d{6} (\d{6}) [0-9a-f]{40,64} ([0-9a-f]{40,64}) [A-Z]/.exec(word) ?? [];
    const path = words[index + 1];
    return mode === undefined || path === undefined
      ? []
      : [{ path, entry: `${mode} ${blob}`, isThere: mode !== "000000" }];
  });
}

const mostNamed = 20;

function messageOf(paths: readonly string[]): string {
  const subject = `recollect: ${paths.length} ${paths.length === 1 ? "document" : "documents"}`;
  const more = paths.length > mostNamed ? [`and ${paths.length - mostNamed} more`] : [];
  const named = paths.slice(0, mostNamed).map((path) => path.replace(/\p{Cc}/gu, "?"));
  return [subject, "", ...named, ...more, ""].join("\n");
}

function skipped(why: string): { kind: "skipped"; why: string } {
  return { kind: "skipped", why };
}
