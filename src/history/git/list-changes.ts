import type { Git } from "./run-git.ts";
import { fromTreePath } from "./tree-path.ts";

/** One file that a commit changed. */
export interface FileOfCommit {
  readonly path: string;
  /** Undefined where it is gone. */
  readonly blob: string | undefined;
}

/** Which files each commit changed, as git sees it. */
export async function listChanges(ids: readonly string[], git: Git): Promise<Map<string, FileOfCommit[]>> {
  const printed = await git.run(
    ["diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-abbrev", "--no-renames"],
    {
      input: [Buffer.from(ids.map((id) => `${id}\n`).join(""))],
      timeoutMs: 30 * 60_000,
    },
  );
  const all = new Map<string, FileOfCommit[]>();
  let files: FileOfCommit[] = [];
  const fields = printed.toString("utf8").split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? "";
    if (/^[0-9a-f]{40}$/.test(field)) {
      files = [];
      all.set(field, files);
      continue;
    }
    const blob = /^:[0-7]{6} [0-7]{6} [0-9a-f]{40} ([0-9a-f]{40}) [A-Z]/.exec(field)?.[1];
    if (blob === undefined) continue;
    at += 1;
    files.push({ path: fromTreePath(fields[at] ?? ""), blob: /^0+$/.test(blob) ? undefined : blob });
  }
  return all;
}
