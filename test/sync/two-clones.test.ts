import { describe, expect, it } from "vitest";
import { filesOf, git, openClones } from "./clones.ts";

describe("HIST-4 two clones of one memory", () => {
  it("HIST-4 TOP-9 begin with an empty remote, and both have what each stored", async () => {
    const { remote, clones } = openClones(2);
    const [one, other] = clones as [(typeof clones)[0], (typeof clones)[0]];
    await one.entry("build", "First");
    expect(await one.sync.run()).toMatchObject({ sent: 2, received: 0, conflicts: [] });
    await other.entry("build", "Second");
    await other.entry("auth", "Third");
    expect(await other.sync.run()).toMatchObject({ conflicts: [], rewritten: false });
    await one.sync.run();
    expect(filesOf(one.folder)).toEqual(filesOf(other.folder));
    expect(one.read("build/notes.md")).toMatch(/First/);
    expect(one.read("index.md")).toContain("auth");
    expect(git(one.folder, "status", "--porcelain")).toBe("");
    expect(git(other.folder, "status", "--porcelain")).toBe("");
    expect(git(remote, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(await one.sync.run()).toMatchObject({ sent: 0, received: 0 });
  });
});
