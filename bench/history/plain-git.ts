import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WrittenRevision } from "./memory-trail.ts";

const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** What `git commit` after each revision leaves, with a short message, then `git gc`. */
export async function commitEach(folder: string, revisions: Iterable<WrittenRevision>): Promise<void> {
  git(folder, ["init", "-q", "--bare", folder]);
  const child = spawn("git", [`--git-dir=${folder}`, "fast-import", "--quiet"], {
    env,
    stdio: ["pipe", "ignore", "inherit"],
  });
  for (const { path, text, author, time } of revisions) {
    const message = `write ${path}`;
    const when = `${Math.floor(Date.parse(time) / 1000)} +0000`;
    const command =
      `commit refs/heads/main\nauthor ${author} <a@example.org> ${when}\ncommitter ${author} <a@example.org> ${when}\n` +
      `data ${Buffer.byteLength(message)}\n${message}\nM 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    if (!child.stdin.write(command)) await once(child.stdin, "drain");
  }
  child.stdin.end();
  await once(child, "close");
  git(folder, ["symbolic-ref", "HEAD", "refs/heads/main"]);
  git(folder, ["gc", "--quiet"]);
}

export function git(folder: string, args: readonly string[]): Buffer {
  return execFileSync("git", [`--git-dir=${folder}`, ...args], { env, maxBuffer: 1024 ** 3 });
}

export function bytesOn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".sample"))
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, size) => sum + size, 0);
}
