import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { conflictPath } from "../../src/kernel/merge/conflict-path.ts";
import { detailsOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

const run = (...args: string[]) => world.cli(args);
const inMemories = (path: string) => join(world.project, ".serena/memories", path);
const onDisk = (path: string) => readFileSync(inMemories(path), "utf8");

/** As a merge leaves it; the name of the other version without its ending. */
function leaveConflict(path: string, ours: string | undefined, theirs: string | Buffer, folder = ".serena/memories") {
  const beside = conflictPath(path, theirs, () => true);
  if (ours !== undefined) world.write(`work/app/${folder}/${path}`, ours);
  world.write(`work/app/${folder}/${beside}`, theirs);
  return beside.replace(/\.md$/, "");
}

describe("HIST-4 resolve", () => {
  it("HIST-4 lists what waits, and shows what differs", async () => {
    expect(await run("resolve")).toMatchObject({ code: 0, out: "No conflicts wait.\n" });
    const beside = leaveConflict("auth/login.md", "a\nmine\nz\n", "a\nother\nz\n");
    expect(await run("resolve")).toMatchObject({
      code: 4,
      out: expect.stringContaining(`${beside}  another version of auth/login`),
    });
    const listed = await run("resolve", "--json");
    expect(JSON.parse(listed.out).conflicts).toMatchObject([{ name: beside, of: "auth/login", path: `${beside}.md` }]);
    for (const name of [beside, "auth/login", "auth/login.md"]) {
      expect((await run("resolve", name)).out).toContain("-mine\n+other\n");
    }
    const shown = JSON.parse((await run("resolve", "auth/login", "--json")).out);
    expect(shown).toMatchObject({ ours: { text: "a\nmine\nz\n" }, theirs: { text: "a\nother\nz\n" } });
    expect(await run("resolve", "auth")).toMatchObject({ code: 3, out: "" });
    expect(await run("resolve", "--keep", "ours")).toMatchObject({ code: 2, out: "" });
  });

  it.each([
    ["ours", "mine\n"],
    ["theirs", "other\n"],
    ["merged", "both\n"],
  ])("HIST-4 HIST-1 keeps %s as one operation, and both versions can be restored", async (keep, text) => {
    const beside = leaveConflict("build.md", "mine\n", "other\n");
    await run("log");
    const before = await world.cli(["resolve", "build", "--keep", keep, "--dry-run"], "both\n");
    expect([before.code, before.out]).toEqual([0, expect.stringContaining("nothing was done")]);
    expect([onDisk("build.md"), onDisk(`${beside}.md`)]).toEqual(["mine\n", "other\n"]);
    const done = await world.cli(["resolve", beside, "--keep", keep, "--json"], "both\n");
    expect(JSON.parse(done.out)).toMatchObject({ keep, of: "build", dryRun: false });
    expect(onDisk("build.md")).toBe(text);
    expect(existsSync(inMemories(`${beside}.md`))).toBe(false);
    expect((await run("show", beside, "~1")).out).toBe("other\n");
    expect((await run("show", "build", keep === "ours" ? "~0" : "~1")).out).toBe("mine\n");
    const [operation] = JSON.parse((await run("log", "--json")).out).operations;
    expect(operation.reason).toBe(`resolve of ${beside}.md: kept ${keep}`);
    expect(operation.changes).toHaveLength(keep === "ours" ? 1 : 2);
  });

  it("HIST-4 keeps both as ordinary notes, under a name that is free", async () => {
    const beside = leaveConflict("build.md", "mine\n", "other\n");
    world.write("work/app/.serena/memories/build-other.md", "taken\n");
    expect((await run("resolve", "build", "--keep", "both")).out).toContain("build-other-2.md");
    expect(
      readdirSync(inMemories(""))
        .filter((name) => name.endsWith(".md"))
        .sort(),
    ).toEqual(["build-other-2.md", "build-other.md", "build.md"]);
    expect(onDisk("build-other-2.md")).toBe("other\n");
    expect(await run("resolve", beside)).toMatchObject({ code: 3 });
  });

  it("HIST-4 brings the other version back where what it belongs to is gone", async () => {
    leaveConflict("gone.md", undefined, "other\n");
    expect((await run("resolve", "gone", "--keep", "theirs")).code).toBe(0);
    expect(onDisk("gone.md")).toBe("other\n");
  });

  it("HIST-4 asks which one is meant where several wait beside one note", async () => {
    const [one, two] = [leaveConflict("build.md", "mine\n", "one\n"), leaveConflict("build.md", "mine\n", "two\n")];
    const asked = await run("resolve", "build", "--keep", "ours");
    expect([asked.code, asked.err]).toEqual([2, expect.stringMatching(`${one}|${two}`)]);
    expect((await run("resolve", one, "--keep", "ours")).code).toBe(0);
    expect((await run("resolve", "build", "--keep", "theirs")).code).toBe(0);
    expect(onDisk("build.md")).toBe("two\n");
  });

  it("HIST-4 of one path in two folders takes folder and path, and says so", async () => {
    const args = ["--additional-folders", "team"];
    world.write("work/app/team/net/dns.md", "team\n");
    const name = leaveConflict("net/dns.md", "mine\n", "other\n");
    // The name is the default, and said all the same: nothing there looks like topics.
    world.write("work/app/recollect.yaml", "memory_path: memory\n");
    for (const folder of ["memory", "team"]) leaveConflict("net/dns.md", `${folder}\n`, "other\n", folder);
    // A note may be called like the folder of topics: the place means the place.
    leaveConflict("memory/net/dns.md", "by its name\n", "other\n");
    const asked = await run("resolve", "net/dns", "--keep", "ours", ...args);
    expect(asked.code).toBe(2);
    for (const place of [".serena/memories", "memory", "team"]) expect(asked.err).toContain(`${place}/${name}.md`);
    const listed = (await run("resolve", ...args)).out;
    for (const place of [".serena/memories", ".serena/memories/memory", "memory", "team"]) {
      expect(listed).toContain(`recollect resolve "${place}/${name}.md"`);
    }
    for (const place of ["memory/net/dns", `team/${name}`, `.serena/memories/${name}.md`]) {
      expect(await run("resolve", place, "--keep", "theirs", ...args), place).toMatchObject({ code: 0 });
    }
    const text = (path: string) => readFileSync(join(world.project, path), "utf8");
    for (const folder of ["memory", "team", ".serena/memories"]) expect(text(`${folder}/net/dns.md`)).toBe("other\n");
    expect(onDisk("memory/net/dns.md")).toBe("by its name\n");
  });

  it("HIST-4 never stores conflict markers, and the guard has its say", async () => {
    const beside = leaveConflict("build.md", "mine\n", "other\n");
    const marked = "<<<<<<< ours\nmine\n=======\nother\n>>>>>>> theirs\n";
    expect(await world.cli(["resolve", "build", "--keep", "merged"], marked)).toMatchObject({ code: 2 });
    const secret = `${["gh", "p_"].join("")}${"aB3dE6gH9k".repeat(4).slice(0, 36)}\n`;
    expect(await world.cli(["resolve", "build", "--keep", "merged"], secret)).toMatchObject({ code: 5 });
    expect(await run("resolve", "build", "--keep", "merged")).toMatchObject({ code: 2 });
    expect([onDisk("build.md"), onDisk(`${beside}.md`)]).toEqual(["mine\n", "other\n"]);
  });

  it("HIST-4 settles what is no text as far as nothing must be read of it", async () => {
    const beside = leaveConflict("build.md", "mine\n", Buffer.from([0xff, 0xfe, 0x00]));
    expect((await run("resolve", "build")).out).toContain("no text");
    expect(await run("resolve", "build", "--keep", "theirs")).toMatchObject({ code: 2 });
    expect([onDisk("build.md"), existsSync(inMemories(`${beside}.md`))]).toEqual(["mine\n", true]);
    expect((await run("resolve", "build", "--keep", "ours")).code).toBe(0);
    expect(existsSync(inMemories(`${beside}.md`))).toBe(false);
  });

  it("HIST-4 KER-8 changes nothing where nothing may be changed", async () => {
    leaveConflict("build.md", "mine\n", "other\n", "shared");
    const args = ["--additional-folders", "shared:ro"];
    expect((await run("resolve", ...args)).code).toBe(4);
    expect(await run("resolve", "build", "--keep", "ours", ...args)).toMatchObject({ code: 5 });
  });

  it("HIST-4 KER-1 settles what has a name that is none for a new document", async () => {
    for (const name of ["con.md", `${"l".repeat(210)}.md`]) {
      world.write(`work/app/.serena/memories/${name}`, "mine\n");
      world.write(`work/app/.serena/memories/${name.replace(".md", ".conflict-1a2b3c4d.md")}`, "other\n");
      const theirs = await run("resolve", name, "--keep", "theirs");
      expect([theirs.code, theirs.err]).toEqual([2, expect.stringContaining("Invalid path")]);
      expect((await run("resolve", name, "--keep", "ours")).code).toBe(0);
      expect(onDisk(name)).toBe("mine\n");
    }
    expect((await run("resolve")).code).toBe(0);
  });

  it("HIST-4 settles a document whose name a folder has by now", async () => {
    for (const [name, keep] of [
      ["kept.md", "both"],
      ["dropped.md", "ours"],
    ] as const) {
      world.write(`work/app/.serena/memories/${name}/in.md`, "in it\n");
      const beside = leaveConflict(name, undefined, "a document\n");
      expect((await run("resolve", beside)).out).toContain("+a document\n");
      expect((await run("resolve", beside, "--keep", "theirs")).code).not.toBe(0);
      expect((await run("resolve", beside, "--keep", keep)).code).toBe(0);
      expect([existsSync(inMemories(`${beside}.md`)), onDisk(`${name}/in.md`)]).toEqual([false, "in it\n"]);
    }
    expect(onDisk("kept-other.md")).toBe("a document\n");
  });

  it("HIST-4 of several who settle the same conflict at once, one does", async () => {
    leaveConflict("build.md", "mine\n", "other\n");
    const keeps = ["ours", "theirs", "both"];
    const codes = await Promise.all(keeps.map(async (keep) => (await run("resolve", "build", "--keep", keep)).code));
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect((await run("resolve")).code).toBe(0);
  });

  it("HIST-4 the index of topics follows", async () => {
    const entry = (title: string) => `## 2026-11-15: ${title}\n**Context:** c\n\n---\n\n`;
    leaveConflict("build/cache.md", `intro\n${entry("A")}`, `other\n${entry("A")}`, "memory");
    await run("topics", "reindex");
    expect((await run("topics", "list")).out).toContain("[conflict: another version of build/cache]");
    expect((await run("resolve", "memory/build/cache", "--keep", "theirs")).code).toBe(0);
    const index = readFileSync(join(world.project, "memory/index.md"), "utf8");
    expect([index.includes("conflict-"), index.includes("(build/cache.md): 1 entry")]).toEqual([false, true]);
  });

  it("HIST-4 the editor opens on both versions, and what cannot be stored is kept", async () => {
    const beside = leaveConflict("build.md", "a\nmine\nz\n", "a\nother\nz\n");
    const editor = world.write("editor.sh", '#!/bin/sh\ncp "$1" "$1.seen"; cp "$1" "$SEEN"; $EDIT "$1"\n');
    chmodSync(editor, 0o755);
    const seen = join(world.folder, "seen.md");
    const [out, err]: [string[], string[]] = [[], []];
    const edit = (command: string) =>
      runCli(["resolve", "build", "--keep", "merged"], {
        out: (text) => out.push(text),
        err: (text) => err.push(text),
        terminal: true,
        readInput: async () => undefined,
        place: {
          cwd: world.project,
          home: world.home,
          env: { PATH: process.env["PATH"], EDITOR: editor, SEEN: seen, EDIT: command },
        },
      });
    expect(await edit("true")).toBe(2);
    expect(readFileSync(seen, "utf8")).toBe("a\n<<<<<<< ours\nmine\n=======\nother\n>>>>>>> theirs\nz\n");
    const [, kept = ""] = /kept in (\S+)\./.exec(err.join("")) ?? [];
    expect(readFileSync(kept, "utf8")).toContain("<<<<<<<");
    writeFileSync(kept, "a\nboth\nz\n");
    expect((await run("resolve", beside, "--keep", "merged", "--file", kept)).code).toBe(0);
    expect(onDisk("build.md")).toBe("a\nboth\nz\n");
    leaveConflict("build.md", "a\nmine\nz\n", "a\nother\nz\n");
    expect(await edit("sed -i /^[<=>]\\{7\\}/d")).toBe(0);
    expect(onDisk("build.md")).toBe("a\nmine\nother\nz\n");
  });

  it("HIST-4 lists and doctor show that a conflict waits", async () => {
    const beside = leaveConflict("build.md", "mine\n", "other\n");
    expect((await run("memories", "list")).out).toMatch(/conflict: another version of build\]/);
    const { memories } = JSON.parse((await run("memories", "list", "--json")).out);
    expect(memories).toMatchObject([{ name: "build" }, { name: beside, conflictOf: "build" }]);
    const doctor = JSON.parse((await run("doctor", "--json")).out);
    expect(doctor.findings).toContainEqual(
      expect.objectContaining({ level: "problem", about: "conflicts", remedy: "recollect resolve" }),
    );
    const { call, close } = await world.connect();
    const listed = await call("list_memories", {});
    await close();
    expect(JSON.stringify(listed.content)).toContain("conflict: another version of build");
    expect(detailsOf(listed)).toMatchObject({ memories: [{}, { conflict_of: "build" }] });
  });
});
