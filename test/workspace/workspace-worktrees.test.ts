import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkspace, type SettingFlags } from "../../src/app.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let [home, main, worktree, bank] = ["", "", "", ""];

function git(...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...args], { cwd: main, stdio: "ignore", env: { ...process.env, HOME: home } });
}

beforeEach(() => {
  const folder = folders.make();
  [home, main] = [join(folder, "home"), join(folder, "shop")];
  [worktree, bank] = [join(folder, "shop-feature"), join(folder, "bank")];
  for (const path of [home, main, bank]) mkdirSync(path);
  git("init", "-q", "-b", "main");
  writeFileSync(join(main, "code.txt"), "of main\n");
  git("add", ".");
  git("commit", "-qm", "first");
  git("worktree", "add", "-q", "-b", "feature", worktree);
  writeFileSync(join(worktree, "code.txt"), "of the worktree\n");
});

async function within<Result>(
  cwd: string,
  flags: SettingFlags,
  use: (workspace: Awaited<ReturnType<typeof openWorkspace>>) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace({ cwd, home, env: {}, flags });
  try {
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}

const names = (cwd: string, flags: SettingFlags = {}) => within(cwd, flags, ({ memories }) => memories.names());

describe("worktrees of one repository", () => {
  it("CFG-1 each is its own project by default", async () => {
    await within(main, {}, ({ memories }) => memories.write("of-main", "x"));
    await within(worktree, {}, ({ memories }) => memories.write("of-worktree", "x"));
    expect([await names(main), await names(worktree)]).toEqual([["of-main"], ["of-worktree"]]);
  });

  it("CFG-1 with share_worktrees they have the memories of the main one, also from a folder below", async () => {
    mkdirSync(join(worktree, "src/deep"), { recursive: true });
    await within(main, {}, ({ memories }) => memories.write("of-main", "x"));
    const share = { "--share-worktrees": true } as const;
    await within(join(worktree, "src/deep"), share, async ({ memories, warnings }) => {
      expect(warnings).toEqual([]);
      expect(await memories.names()).toEqual(["of-main"]);
      await memories.write("shared", "x");
    });
    expect(existsSync(join(main, ".serena/memories/shared.md"))).toBe(true);
    expect(existsSync(join(worktree, ".serena"))).toBe(false);
    expect(await names(main, share)).toEqual(["of-main", "shared"]);
  });

  it("CFG-1 BANK-2 the file tools stay with the files of the worktree, and the bank's area is one", async () => {
    const flags = { "--share-worktrees": true, "--memory-path": bank } as const;
    await within(worktree, flags, async ({ bank: files, bankAreas }) => {
      expect((await files.readFile("code.txt")).content).toBe("of the worktree\n");
      await files.createFile("new.txt", "x");
      expect(bankAreas?.bank[0]).toBe(join(bank, "shop"));
    });
    expect([existsSync(join(worktree, "new.txt")), existsSync(join(main, "new.txt"))]).toEqual([true, false]);
    expect(readFileSync(join(main, "code.txt"), "utf8")).toBe("of main\n");
  });

  it("CFG-2 a recollect.yaml in the worktree cannot ask for it before it is trusted", async () => {
    await within(main, {}, ({ memories }) => memories.write("of-main", "x"));
    writeFileSync(join(worktree, "recollect.yaml"), "share_worktrees: true\n");
    await within(worktree, {}, async ({ memories, warnings }) => {
      expect(await memories.names()).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining("share_worktrees")]);
    });
  });

  it("CFG-1 one whose main worktree is gone is its own project again", async () => {
    rmSync(main, { recursive: true });
    await within(worktree, { "--share-worktrees": true }, async ({ memories, project }) => {
      expect(project?.folder).toBe(worktree);
      await memories.write("x", "x");
    });
    expect(existsSync(main)).toBe(false);
  });
});
