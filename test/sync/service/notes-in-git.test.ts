import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planProjectFiles } from "../../../src/clients/plan.ts";
import { inspectNotesInGit } from "../../../src/sync/service/notes-in-git.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();

it.runIf(process.platform !== "win32")("USE-9 init waits for no named pipe in place of .git/info/exclude", async () => {
  const project = folders.make();
  execFileSync("git", ["init", "-q", project]);
  const exclude = join(project, ".git/info/exclude");
  rmSync(exclude, { force: true });
  execFileSync("mkfifo", [exclude]);
  const inspected = inspectNotesInGit(project, { env: process.env, home: folders.make(), platform: process.platform });
  await expect(inspected).rejects.toThrow("exclude is not a file. Delete it, then try again.");
});

describe.runIf(process.platform !== "win32")("USE-9 the file of ignore rules", () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: folder });

  async function planFor(project: string) {
    const user = { env: process.env, home: folders.make(), platform: process.platform };
    const found = await inspectNotesInGit(project, user);
    if (found === undefined) throw new Error("no repository");
    const ignores = { file: found.excludeFile, below: found.excludesBelow, notes: ["/memory/"], clients: [] };
    const plans = planProjectFiles({ ...user, project, scope: "user", instructs: false, ignores });
    return plans.map(({ status }) => status);
  }

  it("is not written through a link, nor into a repository that an archive names", async () => {
    const [other, linked, behind, named, whole] = [1, 2, 3, 4, 5].map(() => folders.make()) as [string, ...string[]];
    for (const folder of [other, linked, behind]) git(folder as string, "init", "-q");
    const exclude = readFileSync(join(other, ".git/info/exclude"), "utf8");
    rmSync(join(linked as string, ".git/info/exclude"));
    symlinkSync(join(other, ".git/info/exclude"), join(linked as string, ".git/info/exclude"));
    rmSync(join(behind as string, ".git/info"), { recursive: true });
    symlinkSync(join(other, ".git/info"), join(behind as string, ".git/info"));
    writeFileSync(join(named as string, ".git"), `gitdir: ${other}/.git\n`);
    symlinkSync(join(other, ".git"), join(whole as string, ".git"));
    for (const folder of [linked, behind, named, whole]) expect(await planFor(folder as string)).toEqual(["refused"]);
    expect(readFileSync(join(other, ".git/info/exclude"), "utf8")).toBe(exclude);
    expect(await planFor(other)).toEqual(["changed"]);
  });

  it("is that of the repository in a worktree, and its own in a submodule", async () => {
    const folder = folders.make();
    const [main, part] = [join(folder, "main"), join(folder, "part")];
    for (const each of [main, part]) {
      mkdirSync(each);
      git(each, "init", "-q");
      git(each, "commit", "-q", "--allow-empty", "-m", "x");
    }
    git(main, "worktree", "add", "-q", join(folder, "tree"));
    git(main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "sub");
    for (const each of [join(folder, "tree"), join(main, "sub")]) expect(await planFor(each)).toEqual(["changed"]);
  });
});
