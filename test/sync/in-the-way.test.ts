import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenRule } from "../../src/kernel/document-path.ts";
import { type Clone, filesOf, git, openClones } from "./clones.ts";

const tooLarge = 17 * 1024 * 1024;

function pair() {
  const { folder, remote, clones } = openClones(2, { isOurs: (path) => brokenRule(path) === undefined });
  const [one, other] = clones as [Clone, Clone];
  return { folder, remote, one, other };
}

async function settle(...clones: readonly Clone[]): Promise<void> {
  // The first one takes over what the others sent after it.
  for (const clone of [...clones, ...clones.slice(0, 1)]) await clone.sync.run();
}

function remove(clone: Clone, path: string): void {
  rmSync(join(clone.folder, path), { recursive: true });
}

describe("HIST-4 what is in the way of what the other side has", () => {
  it("HIST-4 a file that becomes a folder, and a folder that becomes a file, are taken over", async () => {
    const { one, other } = pair();
    one.write("d", "a file\n");
    one.write("e/x.md", "in a folder\n");
    one.write("e/deep/y.md", "in a folder\n");
    one.write("bin", "\u0000");
    await settle(one, other);
    remove(one, "d");
    remove(one, "e");
    remove(one, "bin");
    one.write("d/x.md", "in a folder now\n");
    one.write("e", "a file now\n");
    one.write("bin/z.md", "in a folder now\n");
    one.write("else.md", "something else\n");
    await settle(one, other);
    expect(filesOf(other.folder)).toEqual(filesOf(one.folder));
    expect(other.read("e")).toBe("a file now\n");
    expect(git(other.folder, "status", "--porcelain")).toBe("");
  });

  it("HIST-4 a folder in which only our own files are left makes room, through the kernel too", async () => {
    const { one, other } = pair();
    await other.entry("build", "One");
    await settle(other, one);
    expect(existsSync(join(other.folder, "build/.recollect"))).toBe(true);
    remove(one, "build");
    one.write("build", "a file now\n");
    await settle(one, other);
    expect(other.read("build")).toBe("a file now\n");
  });

  it("HIST-4 what cannot be sent and is in the way is moved aside, told, and everything else goes on", async () => {
    const { one, other } = pair();
    one.write("d/x.md", "in a folder\n");
    await settle(one, other);
    writeFileSync(join(other.folder, "d", "what?.md"), "only here\n");
    symlinkSync("/nowhere", join(other.folder, "link"));
    remove(one, "d");
    one.write("d", "a file now\n");
    one.write("link/x.md", "below a link there\n");
    one.write("else.md", "something else\n");
    await one.sync.run();
    const { conflicts } = await other.sync.run();
    expect(conflicts.map(({ kind, path }) => [kind, path])).toEqual([
      ["document-and-folder", "d"],
      ["document-and-folder", "link"],
    ]);
    expect([other.read("d"), other.read("else.md")]).toEqual(["a file now\n", "something else\n"]);
    const [aside = ""] = readdirSync(other.folder).filter((name) => name.startsWith("d.conflict-"));
    expect(readFileSync(join(other.folder, aside, "what?.md"), "utf8")).toBe("only here\n");
    await settle(one, other);
    expect(one.read("link/x.md")).toBe("below a link there\n");
  });

  it("HIST-4 a document that is too large here does not stop the sync when the other side changes it", async () => {
    const { one, other } = pair();
    one.write("log.md", "small\n");
    one.write("else.md", "small\n");
    await settle(one, other);
    truncateSync(join(other.folder, "log.md"), tooLarge);
    await other.sync.run();
    one.write("log.md", "small, and changed\n");
    one.write("else.md", "changed\n");
    await one.sync.run();
    const { conflicts } = await other.sync.run();
    expect(conflicts).toMatchObject([{ kind: "both-changed", path: "log.md" }]);
    expect([other.read("log.md"), other.read("else.md")]).toEqual(["small, and changed\n", "changed\n"]);
    const [aside = ""] = readdirSync(other.folder).filter((name) => name.startsWith("log.conflict-"));
    expect(statSync(join(other.folder, aside)).size).toBe(tooLarge);
    await settle(one, other);
  });

  it("HIST-4 a large file of git that was changed here and there is kept twice, and nothing waits for good", async () => {
    const { folder, remote, one, other } = pair();
    one.write("else.md", "small\n");
    await one.sync.run();
    const work = join(folder, "work");
    git(folder, "clone", "-q", remote, work);
    const push = (bytes: number) => {
      writeFileSync(join(work, "big.md"), Buffer.alloc(bytes, "x"));
      git(work, "add", "-A");
      git(work, "commit", "-qm", "big");
      git(work, "push", "-q", "origin", "main");
    };
    push(tooLarge);
    await other.sync.run();
    truncateSync(join(other.folder, "big.md"), tooLarge + 1);
    push(tooLarge + 2);
    const { conflicts } = await other.sync.run();
    expect(conflicts).toMatchObject([{ kind: "both-changed", path: "big.md" }]);
    expect(other.read("big.md")).toHaveLength(tooLarge + 2);
  });

  it("HIST-4 says what is left out, and why", async () => {
    const { one } = pair();
    one.write("ok.md", "ok\n");
    for (const name of ["what?.md", "-dash.md"]) writeFileSync(join(one.folder, name), "odd\n");
    mkdirSync(join(one.folder, "d"));
    writeFileSync(join(one.folder, "d/huge.md"), "");
    truncateSync(join(one.folder, "d/huge.md"), tooLarge);
    const leftOut = [
      { path: "-dash.md", why: expect.stringContaining("name") },
      { path: "d/huge.md", why: expect.stringContaining("larger than 16 MiB") },
      { path: "what?.md", why: expect.stringContaining("name") },
    ];
    expect(await one.sync.run()).toMatchObject({ leftOut });
    expect(await one.sync.status()).toMatchObject({ leftOut, waiting: 0 });
  });
});
