import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diagnose, openWorkspace, type SettingFlags, type Workspace } from "../../src/app.ts";
import { errorOf } from "../helpers/error-of.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
const opened: Workspace[] = [];

beforeEach(() => {
  world = memoryWorld(folders.make());
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((workspace) => workspace.close()));
});

async function open(flags: SettingFlags = {}, cwd = world.project): Promise<Workspace> {
  const workspace = await openWorkspace({ cwd, home: world.home, env: {}, flags });
  opened.push(workspace);
  return workspace;
}

const rootsOf = ({ memoryFolders }: Workspace) => memoryFolders.map(({ root }) => root);

describe("MEM-2 folders of a workspace", () => {
  it("MEM-2 one that is given twice, by whatever spelling, counts once, and the user is told", async () => {
    mkdirSync(join(world.folder, "work/shared"));
    symlinkSync(join(world.folder, "work/shared"), join(world.folder, "work/alias"));
    const workspace = await open({ "--additional-folders": "../shared,../shared/,../alias,.serena/../../shared" });
    expect(rootsOf(workspace)).toEqual([".serena/memories", "../shared"]);
    expect(workspace.warnings).toHaveLength(3);
    for (const warning of workspace.warnings) expect(warning).toContain("once more");
  });

  it("MEM-2 the primary one given as additional is left out, also where it is to be made yet", async () => {
    const early = await open({ "--additional-folders": ".serena/memories" });
    expect([rootsOf(early), early.warnings]).toEqual([[".serena/memories"], [expect.stringContaining("left out")]]);
    await early.memories.write("a", "x");
    const later = await open({ "--additional-folders": ".serena/memories:ro" });
    expect([rootsOf(later), later.warnings]).toEqual([[".serena/memories"], [expect.stringContaining("once more")]]);
    await later.memories.write("a", "still writable");
  });

  it("MEM-8 the primary inside an additional one: each note is listed once, and written where it is", async () => {
    world.write("work/app/.serena/outer.md", "outer\n");
    world.write("work/app/.serena/memories/inner.md", "inner\n");
    const workspace = await open({ "--additional-folders": ".serena" });
    expect(await workspace.memories.names()).toEqual(["inner", "outer"]);
    expect(await workspace.memories.read("memories/inner")).toMatchObject({
      name: "inner",
      folder: ".serena/memories",
    });
    await workspace.memories.write("memories/inner", "changed\n");
    expect(readFileSync(join(world.project, ".serena/memories/inner.md"), "utf8")).toBe("changed\n");
  });

  it("MEM-2 KER-8 a read-only outer folder leaves the primary one inside it writable", async () => {
    world.write("work/app/.serena/outer.md", "outer\n");
    const workspace = await open({ "--additional-folders": ".serena:ro" });
    await workspace.memories.write("inner", "x");
    expect(await errorOf(() => workspace.memories.write("outer", "x"))).toMatchObject({ code: "READ_ONLY" });
  });

  it.each(["global", "project", "bank", "templates"])(
    "MEM-2 a folder called %s is not taken for what is called so here",
    async (name) => {
      world.write(`work/app/${name}/a.md`, "x");
      world.write("home/.serena/memories/global/mine.md", "mine\n");
      const primary = await open({ "--memories-folder": name, "--memory-path": world.bank });
      expect(await primary.memories.names()).toEqual(["a", "global/mine"]);
      const additional = await open({ "--additional-folders": name, "--memory-path": world.bank });
      expect(await additional.memories.names()).toEqual(["a", "global/mine"]);
      expect(await diagnose(additional)).toContainEqual({
        level: "fine",
        about: "additional folder",
        says: `./${name}`,
      });
    },
  );

  it.each(["loop", "loop/deeper", `x${"y".repeat(300)}`])(
    "KER-9 a folder that cannot be looked at (%s) stops nobody who did not ask for it",
    async (folder) => {
      symlinkSync("loop", join(world.project, "loop"));
      const workspace = await open({ "--additional-folder": [folder] });
      expect(workspace.warnings).toHaveLength(1);
      const refused = await errorOf(() => open({ "--memories-folder": folder }));
      if (refused === undefined) return;
      expect(refused).toMatchObject({ name: "RecollectError" });
      expect(String(refused)).not.toContain(world.folder);
    },
  );

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "MEM-2 an additional folder that is closed to this user is left out with a warning",
    async () => {
      const closed = join(world.folder, "closed");
      mkdirSync(closed, { mode: 0o000 });
      const workspace = await open({ "--additional-folders": closed });
      expect(workspace.warnings).toEqual([expect.stringContaining("cannot be opened")]);
      expect(await workspace.memories.names()).toEqual([]);
    },
  );

  it("MEM-1 a project that holds nothing but notes can be its own folder of memories", async () => {
    world.write("work/app/idea.md", "# Idea\n");
    const workspace = await open({ "--memories-folder": "." });
    expect(await workspace.memories.names()).toEqual(["idea"]);
    expect(workspace.warnings).toEqual([]);
    const withFiles = await open({ "--memories-folder": ".", "--tools": "memories,files" });
    expect(withFiles.warnings).toEqual([expect.stringContaining("itself a folder of memories")]);
    expect(await errorOf(() => withFiles.bank.readFile("idea.md"))).toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("MEM-2 a folder that is deleted while running breaks nothing else", async () => {
    world.write("shared/from-shared.md", "x");
    const workspace = await open({ "--additional-folders": "../../shared" });
    await workspace.memories.write("own", "x");
    rmSync(join(world.folder, "shared"), { recursive: true });
    expect(await workspace.memories.names()).toEqual(["own"]);
    expect(await workspace.memories.write("SHARED_x", "x")).toMatchObject({ folder: ".serena/memories" });
    expect(existsSync(join(world.folder, "shared"))).toBe(false);
  });

  it("MEM-14 without a project there are the user's own memories alone", async () => {
    const elsewhere = join(world.folder, "elsewhere");
    mkdirSync(elsewhere);
    world.write("home/.serena/memories/global/mine.md", "mine\n");
    const workspace = await open({}, elsewhere);
    expect(workspace.project).toBeUndefined();
    expect(await workspace.memories.names()).toEqual(["global/mine"]);
    expect((await workspace.memories.read("global/mine")).content).toBe("mine\n");
    expect(await errorOf(() => workspace.memories.write("a", "x"))).toMatchObject({ code: "NOT_FOUND" });
    expect(await errorOf(() => workspace.bank.readFile("a"))).toMatchObject({ code: "NOT_ALLOWED" });
    const writable = await open({ "--global-writable": true }, elsewhere);
    await writable.memories.write("global/new", "x");
    expect(snapshotOf(elsewhere)).toEqual({});
    expect(existsSync(join(world.home, ".serena/memories/global/new.md"))).toBe(true);
  });

  it("CLI-2 doctor looks at the folder it names, not at one whose name ends alike", async () => {
    mkdirSync(join(world.project, "notes"));
    mkdirSync(join(world.project, "more/notes"), { recursive: true });
    const workspace = await open({ "--additional-folders": "notes,more/notes" });
    rmSync(join(world.project, "more/notes"), { recursive: true });
    const says = (await diagnose(workspace)).filter(({ about }) => about === "additional folder");
    expect(says.map((one) => one.says)).toEqual(["notes", expect.stringMatching(/^more\/notes \(/)]);
  });
});

describe("BANK-1 the bank of a workspace", () => {
  it.each([
    ["the project's area", "app"],
    ["the templates", "templates"],
  ])("BANK-1 a link in the place of %s is refused", async (_, area) => {
    world.write("bank/other/secret.md", "x");
    symlinkSync(join(world.bank, "other"), join(world.bank, area));
    expect(await errorOf(() => open({ "--memory-path": world.bank }))).toMatchObject({
      code: "NOT_ALLOWED",
      message: expect.stringContaining("is a link"),
    });
  });

  it("BANK-1 BASE itself may be a link", async () => {
    symlinkSync(world.bank, join(world.folder, "alias"));
    const { bank } = await open({ "--memory-path": join(world.folder, "alias") });
    for (const base of [join(world.folder, "alias"), world.bank]) {
      await bank.createFile(`${base}/app/a.md`, base);
      expect((await bank.readFile(`${world.bank}/app/a.md`)).content).toBe(base);
    }
  });

  it("BANK-1 a project folder called templates needs a name of its own", async () => {
    const other = memoryWorld(folders.make(), "templates");
    const openOther = (flags: SettingFlags) => openWorkspace({ cwd: other.project, home: other.home, env: {}, flags });
    await (await openOther({})).close();
    const refused = await errorOf(() => openOther({ "--memory-path": other.bank }));
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("--project-name") });
    const workspace = await openOther({ "--memory-path": other.bank, "--project-name": "mine" });
    await workspace.bank.createFile(join(other.bank, "mine/a.md"), "x");
    await workspace.close();
    const named = await errorOf(() => openOther({ "--memory-path": other.bank, "--project-name": "Templates" }));
    expect(named).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("templates") });
  });

  it("BANK-1 opening makes nothing, and a file makes the area", async () => {
    const { bank } = await open({ "--memory-path": join(world.bank, "new") });
    expect(snapshotOf(world.bank)).toEqual({});
    await bank.createTaskFile("T-1", "plan");
    expect(existsSync(join(world.bank, "new/app/develop/T-1/plan-mode.md"))).toBe(true);
  });
});

describe("KER-8 one file by several doors", () => {
  it("KER-8 the project's file tools meet the policy of the innermost root", async () => {
    world.write("work/app/docs/guide.md", "guide\n");
    world.write("work/app/bank/templates/plan-mode.md", "# Plan\n");
    world.write("work/app/bank/other/secret.md", "secret\n");
    world.write("work/app/.serena/memories/frozen/x.md", "frozen\n");
    const { bank, memories } = await open({
      "--additional-folders": "docs:ro",
      "--read-only": ["frozen/**"],
      "--memory-path": "bank",
    });
    const refuses = async (path: string, code: string) =>
      expect([path, await errorOf(() => bank.createFile(path, "attack"))]).toMatchObject([path, { code }]);
    const before = snapshotOf(world.project);

    expect((await bank.readFile("docs/guide.md")).content).toBe("guide\n");
    await refuses("docs/guide.md", "READ_ONLY");
    await refuses("docs/new.md", "READ_ONLY");
    await refuses("docs/deep/new.txt", "READ_ONLY");
    await refuses(".serena/memories/frozen/x.md", "READ_ONLY");
    await refuses(".serena/memories/frozen/new.md", "READ_ONLY");
    await refuses(".serena/memories/what?.md", "INVALID_PATH");
    await refuses("bank/templates/plan-mode.md", "READ_ONLY");
    await refuses("bank/templates/new.md", "READ_ONLY");
    for (const path of ["bank/other/secret.md", "bank/other/new.md", "bank/new.md"]) {
      expect([path, await errorOf(() => bank.createFile(path, "attack"))]).toMatchObject([
        path,
        { code: expect.stringMatching(/^(NOT_ALLOWED|READ_ONLY)$/) },
      ]);
    }
    expect(await errorOf(() => bank.readFile("bank/other/secret.md"))).toMatchObject({ code: "NOT_ALLOWED" });
    expect(snapshotOf(world.project)).toEqual(before);

    expect((await bank.readFile("bank/templates/plan-mode.md")).content).toBe("# Plan\n");
    await bank.createFile("bank/app/a.md", "by the project's door\n");
    expect((await bank.readFile(join(world.project, "bank/app/a.md"))).content).toBe("by the project's door\n");
    await bank.createFile(".serena/memories/by-file.md", "# By a file tool\n");
    expect((await memories.read("by-file")).content).toBe("# By a file tool\n");
    const listed = await bank.listFolder(".", { recursive: true });
    expect(listed.files).not.toContain("bank/other/secret.md");
  });

  it("KER-8 a bank that lies in a folder of memories stays a bank for the memories", async () => {
    world.write("work/app/.serena/memories/bank/app/plan.md", "plan\n");
    const { memories, bank } = await open({ "--memory-path": ".serena/memories/bank" });
    expect(await memories.names()).toEqual([]);
    expect(await errorOf(() => memories.delete("bank/app/plan"))).toMatchObject({ code: "NOT_FOUND" });
    expect(await errorOf(() => memories.write("bank/app/new", "x"))).toMatchObject({ code: "NOT_ALLOWED" });
    expect((await bank.readFile(".serena/memories/bank/app/plan.md")).content).toBe("plan\n");
  });
});
