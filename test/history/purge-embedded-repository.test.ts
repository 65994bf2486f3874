import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRemotes } from "../../src/history/git/find-remotes.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { scratchFolder } from "./scratch.ts";

const person = ["-c", "user.name=a", "-c", "user.email=a@b"];
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, ...person, ...args], { encoding: "utf8", stdio: "pipe" });

/** A folder that is a repository without a `.git`, as a clone can bring it, whose settings run a program. */
function plantRepository(folder: string, ran: string): void {
  const work = `${folder}-work`;
  git("/", "init", "-q", work);
  writeFileSync(join(work, "a.md"), "a\n");
  git(work, "add", "-A");
  git(work, "commit", "-qm", "one");
  const commit = git(work, "cat-file", "commit", "HEAD");
  const signed = commit.replace(
    "\n\n",
    "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
  );
  writeFileSync(`${work}/signed`, signed);
  const id = git(work, "hash-object", "-w", "-t", "commit", "signed").trim();
  git(work, "update-ref", "HEAD", id);
  mkdirSync(folder, { recursive: true });
  for (const name of ["HEAD", "objects", "refs"]) execFileSync("cp", ["-r", join(work, ".git", name), folder]);
  const script = join(folder, "evil.sh");
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${ran}'\nexit 1\n`, { mode: 0o755 });
  const run = [
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${script}\n\tpager = ${script}`,
    `\tsshCommand = ${script}\n\tsshcommand = ${script}\n\teditor = ${script}\n\talternateRefsCommand = ${script}`,
    `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${script}\n[diff]\n\texternal = ${script}`,
    `[remote "origin"]\n\turl = ext::${script}\n\tuploadpack = ${script}`,
  ];
  writeFileSync(join(folder, "config"), `${run.join("\n")}\n`);
}

describe("a clone that brings a repository in the folder of its memories", () => {
  it("HIST-5 runs nothing of it, whatever is asked of it", async () => {
    const { cli, project, folder } = memoryWorld(join(scratchFolder(), "world"));
    const ran = join(folder, "ran");
    for (const place of [".serena/memories", "memory", "."]) plantRepository(join(project, place), ran);
    // The fixture is no harmless one.
    git(join(project, ".serena/memories"), "log", "-1", "--all");
    expect(readFileSync(ran, "utf8")).toContain("evil.sh");
    execFileSync("rm", [ran]);
    const value = "planted-value-1234";
    for (const args of [
      ["purge", "--dry-run"],
      ["purge", "--yes"],
      ["memories", "write", "note"],
      ["log"],
      ["verify"],
      ["doctor"],
      ["sync"],
      ["sync", "--status"],
      ["init", "--project", project, "--client", "claude-code", "--dry-run"],
      ["init", "--project", project, "--client", "claude-code", "--yes"],
    ]) {
      await cli(args, value);
      expect([args, existsSync(ran)]).toEqual([args, false]);
    }
  });

  it("HIST-5 asks the repository that the folder lies in, not the one that lies in the folder", async () => {
    const project = realpathSync(scratchFolder());
    const memories = join(project, ".serena/memories");
    const ran = join(scratchFolder(), "ran");
    plantRepository(memories, ran);
    git(project, "init", "-q");
    writeFileSync(join(memories, "note.md"), "note\n");
    git(project, "add", ".serena/memories/note.md");
    git(project, "remote", "add", "origin", "https://example.org/shop.git");
    expect(await findRemotes(memories, process.env)).toEqual({
      isTracked: true,
      top: project,
      remotes: [{ name: "origin", url: "https://example.org/shop.git" }],
    });
    expect(existsSync(ran)).toBe(false);
  });
});
