import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { allowRecall, allowsRecall, listRecall, revokeRecall } from "../../src/settings/recall-consent.ts";
import { userDataFolder } from "../../src/settings/user-folders.ts";
import { gitProject } from "../helpers/git-project.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let home: string;
let user: { env: NodeJS.ProcessEnv; home: string };

beforeEach(() => {
  home = folders.make();
  user = { env: {}, home };
});

const folderOf = (...path: string[]) => {
  const folder = join(home, ...path);
  mkdirSync(folder, { recursive: true });
  return folder;
};
const repositoryAt = (name: string) => join(folderOf(name, ".git"), "..");
const records = () => join(userDataFolder(user), "recall");

describe("the user's word that hooks may recall a project's notes", () => {
  it("USE-16 is missing at first, and asking makes no folder", () => {
    const project = repositoryAt("shop");
    expect(allowsRecall(project, user)).toBe(false);
    expect(revokeRecall(project, user)).toBe(false);
    expect(readdirSync(home)).toEqual(["shop"]);
  });

  it("USE-16 holds for the repository, and for no other one, until it is taken back", () => {
    const [shop, other] = [repositoryAt("shop"), repositoryAt("other")];
    allowRecall(shop, user);
    expect([shop, other].map((one) => allowsRecall(one, user))).toEqual([true, false]);
    allowRecall(other, user);
    expect(revokeRecall(shop, user)).toBe(true);
    expect([shop, other].map((one) => allowsRecall(one, user))).toEqual([false, true]);
  });

  it("USE-16 does not reach into a project below, as of an archive that was unpacked there, or out of it", () => {
    const shop = repositoryAt("shop");
    const [own, unpacked] = [folderOf("shop", "packages", "a"), folderOf("shop", "vendor", "x")];
    const allowed = () => [shop, own, unpacked].map((one) => allowsRecall(one, user));
    allowRecall(own, user);
    expect(allowed()).toEqual([false, true, false]);
    allowRecall(shop, user);
    expect(allowed()).toEqual([true, true, false]);
    revokeRecall(shop, user);
    expect(allowed()).toEqual([false, false, false]);
  });

  it("USE-16 does not outlive the repository, or the folder where there is no git", () => {
    for (const [name, ...below] of [["shop", ".git"], ["plain"]] as const) {
      const folder = folderOf(name, ...below);
      allowRecall(join(home, name), user);
      expect([allowsRecall(join(home, name), user), listRecall(user)]).toEqual([true, [folder]]);
      // Kept beside it, so that the new one cannot get the same number.
      renameSync(folder, join(home, `former ${name}`));
      expect(listRecall(user)).toEqual([folder]);
      mkdirSync(folder);
      expect([allowsRecall(join(home, name), user), listRecall(user)]).toEqual([false, []]);
    }
  });

  it("USE-16 holds in all worktrees of a repository", () => {
    const project = gitProject(folders.make());
    project.put("a.txt", "a");
    project.commitAll("a");
    const worktree = join(project.folder, "beside");
    project.git("worktree", "add", "-q", worktree);
    allowRecall(worktree, user);
    expect([project.project, worktree].map((one) => allowsRecall(one, user))).toEqual([true, true]);
    revokeRecall(project.project, user);
    expect(allowsRecall(worktree, user)).toBe(false);
  });

  it("USE-16 holds in the worktrees of a bare repository", () => {
    const project = gitProject(home);
    project.put("a.txt", "a");
    project.commitAll("a");
    const bare = join(home, "shop.git");
    project.git("clone", "-q", "--bare", project.project, bare);
    for (const name of ["one", "two"]) project.git("-C", bare, "worktree", "add", "-q", "-b", name, join(home, name));
    allowRecall(join(home, "one"), user);
    expect(allowsRecall(join(home, "two"), user)).toBe(true);
  });

  it("USE-16 is not had by a folder that claims to belong to a repository of the user", () => {
    const shop = repositoryAt("shop");
    folderOf("shop", ".git", "worktrees", "x");
    writeFileSync(join(shop, ".git/worktrees/x/commondir"), "../..\n");
    writeFileSync(join(shop, ".git/worktrees/x/gitdir"), `${join(home, "gone/.git")}\n`);
    allowRecall(shop, user);
    for (const [name, target] of [
      ["a", "../shop/.git"],
      ["b", "../shop/.git/worktrees/x"],
    ] as const) {
      writeFileSync(join(folderOf(name), ".git"), `gitdir: ${target}\n`);
      expect(allowsRecall(join(home, name), user)).toBe(false);
    }
    symlinkSync("../shop/.git", join(folderOf("linked"), ".git"));
    expect(allowsRecall(join(home, "linked"), user)).toBe(false);
    writeFileSync(join(folderOf("common", ".git"), "commondir"), "../../shop/.git\n");
    expect(allowsRecall(join(home, "common"), user)).toBe(false);
  });

  it("USE-16 stands for one folder where there is no git, by whatever path it is reached", () => {
    const [shop, alias] = [folderOf("shop"), join(home, "alias")];
    symlinkSync(shop, alias);
    allowRecall(alias, user);
    expect([shop, alias, folderOf("shop", "inner"), home].map((one) => allowsRecall(one, user))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(allowsRecall(join(home, "gone"), user)).toBe(false);
  });

  it("USE-16 does not reach from a home folder that is a repository into what lies below it", () => {
    folderOf(".git");
    const download = folderOf("Downloads", "shop");
    allowRecall(home, user);
    expect([home, download].map((one) => allowsRecall(one, user))).toEqual([true, false]);
  });

  it("USE-16 does not go along when another repository takes its record's name, or the record is damaged", () => {
    const shop = repositoryAt("shop");
    allowRecall(shop, user);
    const [name = ""] = readdirSync(records());
    const file = join(records(), name);
    const record = JSON.parse(readFileSync(file, "utf8"));
    const { ino, birthtimeNs } = statSync(join(shop, ".git"), { bigint: true });
    const identity = `${ino} ${birthtimeNs}`;
    expect(record).toEqual({ format: 1, repository: join(shop, ".git"), identity, projects: [""] });
    const others = [{ repository: "/other/.git" }, { identity: undefined }, { projects: [1] }];
    const changed = others.map((other) => JSON.stringify({ ...record, ...other }));
    for (const text of ["", "{", "null", "[]", '{"format":1}', ...changed]) {
      writeFileSync(file, text);
      expect(allowsRecall(shop, user)).toBe(false);
    }
    allowRecall(shop, user);
    renameSync(shop, join(home, "moved"));
    expect(allowsRecall(join(home, "moved"), user)).toBe(false);
  });

  it.skipIf(process.platform === "win32")("USE-16 is kept for the user alone, and leaves no half-written file", () => {
    const shop = repositoryAt("shop");
    allowRecall(shop, user);
    allowRecall(shop, user);
    const [name = "", ...more] = readdirSync(records());
    expect([more, statSync(join(records(), name)).mode & 0o777, statSync(records()).mode & 0o777]).toEqual([
      [],
      0o600,
      0o700,
    ]);
  });
});
