import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const folders = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];
const leftMs = 3_600_000;

/**
 * Makes an empty repository that knows its remote; the first sync fills it, as a clone is filled. It is put together
 * aside and appears whole: a kill leaves nothing half. Without git, so that nothing waits for it.
 */
export function makeRepository(folder: string, remote: string | undefined): void {
  if (existsSync(join(folder, ".git"))) return;
  mkdirSync(folder, { recursive: true });
  sweep(folder);
  const draft = join(folder, `.git-new-${randomUUID()}`);
  try {
    for (const name of folders) mkdirSync(join(draft, name), { recursive: true });
    writeFileSync(join(draft, "config"), configFor(remote));
    writeFileSync(join(draft, "HEAD"), "ref: refs/heads/main\n");
    renameSync(draft, join(folder, ".git"));
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(join(folder, ".git", "HEAD"))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function configFor(remote: string | undefined): string {
  const lines = ["[core]", "\trepositoryformatversion = 0", "\tfilemode = true", "\tbare = false"];
  // What was purged is not kept by a log of the clone.
  if (remote !== undefined) lines.push("\tlogAllRefUpdates = false");
  if (remote !== undefined) {
    const quoted = remote.replace(/[\\"]/g, "\\$&");
    lines.push('[remote "origin"]', `\turl = "${quoted}"`, "\tfetch = +refs/heads/*:refs/remotes/origin/*");
  }
  return `${lines.join("\n")}\n`;
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(".git-new-"))) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > leftMs) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Whether a folder is a repository without files of its own, which can only be a remote. */
export function isBareRepository(folder: string): boolean {
  return basename(folder) !== ".git" && ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
}

/** The folder of the clone of an address, below the user's data. */
export function cloneName(url: string, hash: (text: string) => string): string {
  const name = basename(dirname(`${url.replace(/[/\\]+$/, "")}/x`))
    .replace(/\.git$/, "")
    .replace(/^.*[:@]/, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 40);
  return `${name || "memory"}-${hash(url).slice(0, 16)}`;
}
