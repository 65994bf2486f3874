import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { counted } from "../../kernel/counted.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import { type CommittedFolder, makeDocumentTree, type TreeSource } from "./document-tree.ts";
import { type LeftOut, wordsOf } from "./left-out.ts";
import { createProjectGit, findWorkTree, isIgnored, type ProjectGit, type WorkTree } from "./project-git.ts";

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
      readonly left: readonly LeftOut[];
    }
  /** There is nothing that differs. */
  | { readonly kind: "nothing" }
  /** What would be committed, where it was only asked. */
  | { readonly kind: "waits"; readonly paths: readonly string[]; readonly left: readonly LeftOut[] }
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

async function foldersIn({ folders }: CommitRequest, git: ProjectGit, tree: WorkTree) {
  const top = realpathSync(tree.folder);
  const inTree: TreeSource["folders"][number][] = [];
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

async function attemptCommit({ dryRun }: CommitRequest, source: TreeSource): Promise<ProjectCommit | "again"> {
  const { git, tree } = source;
  const why = await whyNot(git, tree);
  if (why !== undefined) return skipped(why);
  const branch = (await git.run(["symbolic-ref", "--quiet", "HEAD"])).trim();
  const head = (await git.run(["rev-parse", "--verify", "--quiet", "HEAD"])).trim();
  const draft = mkdtempSync(join(tmpdir(), "recollect-index-"));
  try {
    const { id: made, changes, left } = await makeDocumentTree(source, head, join(draft, "index"));
    const paths = changes.map(({ path }) => path);
    if (paths.length === 0) return left.length === 0 ? { kind: "nothing" } : skipped(wordsOf(left));
    if (dryRun) return { kind: "waits", paths, left };
    const commit = await git.attempt(["commit-tree", made, "-p", head, "-F", "-"], { input: messageOf(paths) });
    if (commit.code !== 0) return skipped(whyNoCommit(commit.said));
    const id = commit.printed.toString("utf8").trim();
    const staged = await git.attempt(["-C", tree.folder, "update-index", "-z", "--add", "--index-info"], {
      input: changes.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`).join(""),
    });
    if (staged.code !== 0) return skipped(whyNotStaged(staged.said));
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

function whyNoCommit(said: string): string {
  const isUnknown = /tell me who you are|empty ident|auto-detect|no email was given|no name was given/i.test(said);
  return isUnknown ? "git does not know who you are: set user.name and user.email" : "git could not write the commit";
}

function whyNotStaged(said: string): string {
  return /index\.lock/.test(said) ? "another git command holds the index" : "git could not write its index";
}

const mostNamed = 20;

function messageOf(paths: readonly string[]): string {
  const subject = `recollect: ${counted(paths.length, "document")}`;
  const more = paths.length > mostNamed ? [`and ${paths.length - mostNamed} more`] : [];
  const named = paths.slice(0, mostNamed).map((path) => path.replace(/\p{Cc}/gu, "?"));
  return [subject, "", ...named, ...more, ""].join("\n");
}

function skipped(why: string): { kind: "skipped"; why: string } {
  return { kind: "skipped", why };
}
