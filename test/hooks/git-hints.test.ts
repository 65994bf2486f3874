import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitHints } from "../../src/hooks/git-hints.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const file = join(import.meta.dirname, "../../src/hooks/git-hints.ts");

/** In a process of its own: one that waits for a named pipe can only be killed. */
function hintsOutside(project: string): string {
  const code = `import { gitHints } from ${JSON.stringify(file)}; console.log(gitHints(process.argv[1]));`;
  const args = ["--no-warnings", "--input-type=module", "-e", code, project];
  return execFileSync(process.execPath, args, { encoding: "utf8", timeout: 5000 }).trim();
}

describe("USE-4 what a session is probably about", () => {
  it("USE-4 is its branch and its last two commits, also of a long log", () => {
    const project = folders.make();
    mkdirSync(join(project, ".git/logs"), { recursive: true });
    writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/fix/stale-cache\n");
    const commits = ["First", "Second", "Third"].map((subject) => `0 1 Ada <a@b> 1 +0000\tcommit: ${subject}\n`);
    writeFileSync(join(project, ".git/logs/HEAD"), `${"x".repeat(9000)}\n${commits.join("")}`);
    expect(gitHints(project)).toBe("fix stale cache Second Third");
  });

  it.runIf(process.platform !== "win32")("USE-5 waits for no named pipe or device in its place", () => {
    const [whole, head, elsewhere] = [folders.make(), folders.make(), folders.make()];
    execFileSync("mkfifo", [join(whole, ".git")]);
    mkdirSync(join(head, ".git/logs"), { recursive: true });
    execFileSync("mkfifo", [join(head, ".git/HEAD")]);
    symlinkSync("/dev/zero", join(head, ".git/logs/HEAD"));
    writeFileSync(join(elsewhere, ".git"), `gitdir: ${join(head, ".git")}\n`);
    for (const project of [whole, head, elsewhere]) expect(hintsOutside(project)).toBe("");
  });
});
