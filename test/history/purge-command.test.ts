import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryWorld } from "../helpers/memory-world.ts";
import { scratchFolder } from "./scratch.ts";

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

function world() {
  const made = memoryWorld(join(scratchFolder(), "world"));
  const note = join(made.project, ".serena/memories/login.md");
  return { ...made, note };
}

describe("recollect purge", () => {
  it("HIST-5 takes the value from standard input, and says where it was without saying it", async () => {
    const { cli, note } = world();
    await cli(["memories", "write", "login"], "first\n");
    writeFileSync(note, `token: ${token}\n`);
    await cli(["log"]);
    const { code, out, err } = await cli(["purge", "--yes"], `${token}\n`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(".serena/memories/login.md: now, and 1 revision in history");
    expect(out).not.toContain(token);
    expect(readFileSync(note, "utf8")).toBe("token: ‹removed›\n");
    expect((await cli(["show", "login"])).out).toBe("token: ‹removed›\n");
    expect((await cli(["show", "login", "~1"])).out).toBe("first\n");
    expect((await cli(["verify"])).code).toBe(0);
    const again = await cli(["memories", "write", "other", "--guard-policy", "warn"], `x ${token}`);
    expect([again.code, again.err]).toEqual([5, expect.stringContaining("was purged")]);
  });

  it("HIST-5 only shows where it is with --dry-run, also with --yes, and asks before it does anything", async () => {
    const { cli, note } = world();
    writeFileSync((await cli(["memories", "write", "login"], "first\n")) && note, `token: ${token}\n`);
    const shown = await cli(["purge", "--dry-run", "--json"], token);
    expect(JSON.parse(shown.out)).toMatchObject({ places: [{ path: "login.md", isCurrent: true }] });
    expect(await cli(["purge", "--dry-run", "--yes"], token)).toMatchObject({ code: 0 });
    expect((await cli(["purge"], token)).code).toBe(2);
    expect(readFileSync(note, "utf8")).toContain(token);
  });

  it("HIST-5 takes what the guard finds in a line of a note", async () => {
    const { cli, note } = world();
    await cli(["memories", "write", "login"], "first\n");
    writeFileSync(note, `Some words.\nThe token is ${token} here.\n`);
    expect((await cli(["purge", "--document", "login", "--line", "2", "--yes"])).code).toBe(0);
    expect(readFileSync(note, "utf8")).toBe("Some words.\nThe token is ‹removed› here.\n");
    expect((await cli(["purge", "--document", "login", "--line", "1", "--yes"])).code).toBe(3);
  });

  it("HIST-5 names the remotes that may hold it still, and prints what finds the revisions that do", async () => {
    const { cli, note, project } = world();
    rmSync(join(project, ".git"), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", project, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" });
    git("init", "-q");
    await cli(["memories", "write", "login"], "first\n");
    writeFileSync(note, `token: ${token}\n`);
    git("add", "-A");
    git("commit", "-qm", "all");
    git("remote", "add", "origin", "https://ada:pass@example.org/shop.git");
    const before = git("rev-parse", "HEAD");
    const { out } = await cli(["purge", "--yes"], token);
    const [command = ""] = out.split("\n").filter((line) => line.includes(" log --all "));
    const file = join(project, "..", "FILE");
    writeFileSync(file, `${token}\n`);
    const found = execFileSync("sh", ["-ec", command.replace("FILE", file)], { encoding: "utf8" });
    expect(found).toMatch(/^[0-9a-f]+ all\n$/);
    expect(out).toContain("https://example.org/shop.git");
    expect(out).not.toContain("pass@");
    expect(git("rev-parse", "HEAD")).toBe(before);
  });

  it("HIST-5 says of a value that is nowhere that nothing was removed, and does not refuse it later, unless somebody asks for it and until it is taken back", async () => {
    const { cli } = world();
    await cli(["memories", "write", "login"], "first\n");
    const misspelt = "a word that is misspelt";
    expect(await cli(["purge", "--dry-run"], misspelt)).toMatchObject({ code: 3 });
    const { code, out } = await cli(["purge", "--yes"], misspelt);
    expect([code, out]).toEqual([3, expect.stringContaining("It was found nowhere, so nothing was removed.")]);
    expect(out).toContain("It can still be written");
    expect(out).not.toContain("Removed.");
    expect((await cli(["memories", "write", "other"], misspelt)).code).toBe(0);
    await cli(["memories", "delete", "other"]);
    expect((await cli(["purge", "--list"])).out).toBe("No value is refused.\n");
    const refused = await cli(["purge", "--yes", "--refuse", "--json"], "another such word");
    expect(refused.code).toBe(3);
    const { fingerprint } = JSON.parse(refused.out);
    expect(JSON.parse((await cli(["purge", "--list", "--json"])).out).values).toMatchObject([{ fingerprint }]);
    const write = () => cli(["memories", "write", "other"], "another such word");
    expect(await write()).toMatchObject({ code: 5, err: expect.stringContaining(`--take-back ${fingerprint}`) });
    expect((await cli(["purge", "--take-back", "0000"])).code).toBe(3);
    expect((await cli(["purge", "--take-back", fingerprint])).code).toBe(0);
    expect((await write()).code).toBe(0);
  });

  it("HIST-5 refuses one that only waited in a journal", async () => {
    const { cli } = world();
    await cli(["memories", "write", "login"], "first\n");
    await cli(["log"]);
    await cli(["memories", "write", "login"], `then ${"a value like no other"}\n`);
    await cli(["memories", "write", "login"], "last\n");
    expect((await cli(["purge", "--yes"], "a value like no other")).code).toBe(0);
    expect((await cli(["memories", "write", "other"], "a value like no other")).code).toBe(5);
  });

  it("refuses a value that would take words apart", async () => {
    const { cli } = world();
    for (const value of ["", "abc"]) expect((await cli(["purge", "--yes"], value)).code).toBe(2);
  });
});
