import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { conflictPath } from "../../kernel/merge/conflict-path.ts";
import { openPlacedFiles } from "../placed-files.ts";
import { mergeFile } from "./merge-file.ts";
import { createProjectGit, findWorkTree, type WorkTree } from "./project-git.ts";
import { noteUntidy } from "./untidy-note.ts";

export interface DriverRequest {
  /** Where git runs it: the top of the work tree. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The three files that git made, and what they are called in the repository. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly path: string;
  readonly topics: readonly string[];
  /** Whether two former revisions are joined, to compare with: nobody will ever see the result. */
  readonly isForBase?: boolean | undefined;
}

export type DriverResult =
  | { readonly kind: "merged"; readonly doubled: readonly string[] }
  /** The other version lies beside it. */
  | { readonly kind: "kept both"; readonly beside: string; readonly doubled: readonly string[] }
  /** It could not be put there: the file is as it was here, and git has both versions. */
  | { readonly kind: "left"; readonly why: string };

/** Merges one file for git, into `ours`. What it leaves has no conflict markers, whatever happens. */
export async function runMergeDriver(request: DriverRequest): Promise<DriverResult> {
  const { cwd, path, topics } = request;
  const [base, ours, theirs] = [request.base, request.ours, request.theirs].map((file) => readFile(resolve(cwd, file)));
  if (!base || !ours || !theirs)
    throw new RecollectError("NOT_FOUND", "One of the three files of the merge is missing.");
  const { content, beside, doubled, uncounted } = mergeFile({ path, topics, base, ours, theirs });
  const tree = request.isForBase || (!beside && uncounted === undefined) ? undefined : await mergedTree(request);
  if (tree && uncounted !== undefined) noteUntidy(tree.gitDir, uncounted);
  if (beside === undefined || request.isForBase) {
    writeFileSync(resolve(cwd, request.ours), content);
    return { kind: "merged", doubled };
  }
  // Before the result: what cannot be kept twice must not be lost once.
  const placed = placeBeside(tree, path, beside);
  if (placed.kind === "left") return placed;
  writeFileSync(resolve(cwd, request.ours), content);
  return { kind: "kept both", beside: placed.path, doubled };
}

function readFile(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new RecollectError("STORAGE_FAILED", "A file of the merge cannot be read.", { cause: error });
  }
}

/**
 * The work tree that git merges into; undefined where it did not run this at the top of one, and where it only looks, as
 * `git merge-tree` and `git show --remerge-diff` do: whoever merges for good holds the index meanwhile.
 */
async function mergedTree({ cwd, env }: DriverRequest): Promise<WorkTree | undefined> {
  const tree = await findWorkTree(createProjectGit({ folder: cwd, env }));
  if (!tree || realpathSync(tree.folder) !== realpathSync(cwd)) return undefined;
  const index = env["GIT_INDEX_FILE"] ? resolve(cwd, env["GIT_INDEX_FILE"]) : join(tree.gitDir, "index");
  return existsSync(`${index}.lock`) ? tree : undefined;
}

function placeBeside(
  tree: WorkTree | undefined,
  path: string,
  content: Uint8Array,
): { kind: "placed"; path: string } | { kind: "left"; why: string } {
  if (!tree) return { kind: "left", why: "git merges into no work tree here" };
  try {
    const files = openPlacedFiles(tree.folder, tree.gitDir);
    const isFree = (name: string) => {
      const found = files.read(name);
      return found === undefined || (found !== "other" && Buffer.compare(found, content) === 0);
    };
    const beside = conflictPath(path, content, isFree);
    if (!isFree(beside)) return { kind: "left", why: "no name is free beside it" };
    files.write(beside, content, "100644");
    return { kind: "placed", path: beside };
  } catch (error) {
    // A link in the place of a folder, a full disk, no right to write.
    if (!isRecollectError(error) && !(error instanceof Error && "code" in error)) throw error;
    return { kind: "left", why: "the other version cannot be put beside it" };
  }
}
