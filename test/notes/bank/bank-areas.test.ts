import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocumentPath, revisionOf } from "../../../src/app.ts";
import { createBank } from "../../../src/notes/bank/bank.ts";
import { parseProjectName } from "../../../src/notes/bank/bank-roots.ts";
import { canGiveAway, scratchFolder, stamp, writeForeignFile } from "../../backends/files/scratch.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { readTrails } from "../../helpers/written-records.ts";
import { bankIn, central, fill, openBank } from "./open-bank.ts";

describe.each(documentStores)("PG-1 the bank on $name", (stores) => {
  const open = bankIn(stores);

  describe("the project's area of the bank", () => {
    it("BANK-1 is read, listed and written by absolute paths, and makes parents", async () => {
      const { bank, fillBank, text } = await open();
      await fillBank({ "app/foundation/goal.md": "goal" });
      expect((await bank.readFile(`${central}/app/foundation/goal.md`)).content).toBe("goal");
      const made = await bank.createFile(`${central}/app/develop/T-1/notes.md`, "notes");
      expect(made).toEqual({
        path: `${central}/app/develop/T-1/notes.md`,
        rev: revisionOf(Buffer.from("notes")),
        overwrote: false,
      });
      expect(await text(`app/develop/T-1/notes.md`)).toBe("notes");
      expect(await bank.listFolder(`${central}/app`)).toMatchObject({ dirs: ["develop", "foundation"], files: [] });
      expect(await bank.listFolder(`${central}/app/develop`, { recursive: true })).toMatchObject({
        dirs: ["develop/T-1"],
        files: ["develop/T-1/notes.md"],
      });
    });

    it("BANK-1 overwriting says so, and keeps the former revision for history", async () => {
      const { bank, written } = await open();
      await bank.createFile(`${central}/app/a.md`, "one");
      expect(await bank.createFile(`${central}/app/a.md`, "two")).toMatchObject({ overwrote: true });
      const { textOf } = await written("bank");
      expect(await textOf("a.md", revisionOf(Buffer.from("one")))).toBe("one");
      const again = bank.createFile(`${central}/app/a.md`, "three", { mustNotExist: true });
      await expect(again).rejects.toMatchObject({ code: "CONFLICT" });
    });

    it("BANK-1 allows no delete and no move, at the bank and below it", async () => {
      const { bank, documents, project, fillBank } = await open();
      await bank.createFile(`${central}/app/a.md`, "a");
      await fillBank({ "templates/t.md": "t" });
      fill(project, { "p.md": "p" });
      expect(Object.keys(bank).sort()).toEqual(["createFile", "createTaskFile", "listFolder", "readFile"]);
      for (const [root, name] of [
        ["bank", "a.md"],
        ["templates", "t.md"],
        ["project", "p.md"],
      ] as const) {
        const at = { root, path: parseDocumentPath(name) };
        await expect(documents.remove(at, stamp)).rejects.toMatchObject({
          code: expect.stringMatching(/NOT_ALLOWED|READ_ONLY/),
        });
        const away = { root: "bank", path: parseDocumentPath("b.md") };
        await expect(documents.move(at, away, stamp)).rejects.toMatchObject({
          code: expect.stringMatching(/NOT_ALLOWED|READ_ONLY/),
        });
      }
    });

    it("BANK-2 ignores no file there, and treats a folder of templates in it as an ordinary one", async () => {
      const { bank, fillBank } = await open();
      await fillBank({ "app/.gitignore": "*\n", "app/x.log": "x", "app/.hidden/y.md": "y" });
      await bank.createFile(`${central}/app/templates/mine.md`, "mine");
      expect(await bank.listFolder(`${central}/app/`, { recursive: true })).toMatchObject({
        dirs: [".hidden", "templates"],
        files: [".gitignore", ".hidden/y.md", "templates/mine.md", "x.log"],
      });
    });

    it("KER-1 gives no name there that the rules refuse", async () => {
      const { bank } = await open();
      for (const name of [".hidden", "a:b", "CON", "-x", "a ", "e\u0301"]) {
        const path = `${central}/app/${name}`;
        await expect(bank.createFile(path, "x"), name).rejects.toMatchObject({ code: "INVALID_PATH" });
      }
    });

    it("BANK-1 that nobody has written to yet is empty, and reading makes nothing", async () => {
      const { bank, all } = await open();
      const empty = { dirs: [], files: [], leftOut: 0 };
      expect(await bank.listFolder(`${central}/app`)).toMatchObject(empty);
      expect(await bank.listFolder(`${central}/templates`)).toMatchObject(empty);
      await expect(bank.readFile(`${central}/app/x/y.md`)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(bank.listFolder(`${central}/app/x`)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await all()).toEqual({});
    });
  });

  describe("the templates of the bank", () => {
    it("BANK-1 are read and listed, and never written", async () => {
      const { bank, fillBank, everything } = await open();
      await fillBank({ "templates/plan-mode.md": "# Plan", "templates/sub/x.md": "x" });
      expect((await bank.readFile(`${central}/templates/plan-mode.md`)).content).toBe("# Plan");
      expect(await bank.listFolder(`${central}/templates`, { recursive: true })).toMatchObject({
        dirs: ["sub"],
        files: ["plan-mode.md", "sub/x.md"],
      });
      const before = await everything();
      for (const name of ["plan-mode.md", "new.md", "new/er.md"]) {
        const path = `${central}/templates/${name}`;
        await expect(bank.createFile(path, "x"), name).rejects.toMatchObject({ code: "READ_ONLY" });
      }
      expect(await everything()).toEqual(before);
    });
  });

  describe("places in the bank", () => {
    it("BANK-1 a folder in the place of a file, and the other way round, is said to be one", async () => {
      const { bank, fillBank } = await open();
      await fillBank({ "app/folder/a.md": "a" });
      await expect(bank.readFile(`${central}/app`)).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
      await expect(bank.createFile(`${central}/app`, "x")).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
      await expect(bank.readFile(`${central}/app/folder`)).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
      await expect(bank.createFile(`${central}/app/folder`, "x")).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
      await expect(bank.listFolder(`${central}/app/folder/a.md`)).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    });

    it("BANK-2 the bank works alone, and a relative path is refused", async () => {
      const { bank } = await open({ without: "project" });
      await bank.createFile(`${central}/app/a.md`, "a");
      expect((await bank.readFile(`${central}/app/a.md`)).content).toBe("a");
      for (const path of [".", "a.md", "app/a.md"]) {
        await expect(bank.readFile(path), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
        await expect(bank.listFolder(path), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      }
    });
  });

  describe("task files", () => {
    it.each(["plan", "review"] as const)("BANK-3 a %s file comes from its template, verbatim", async (kind) => {
      const { bank, fillBank, text } = await open();
      await fillBank({ [`templates/${kind}-mode.md`]: "\u{feff}# {TASK_ID}\r\n" });
      const path = `${central}/app/develop/T-1/${kind}-mode.md`;
      expect(await bank.createTaskFile("T-1", kind)).toMatchObject({ path, overwrote: false, from: "template" });
      expect(await text(`app/develop/T-1/${kind}-mode.md`)).toBe("\u{feff}# {TASK_ID}\r\n");
      expect((await bank.readFile(path)).content).toBe("\u{feff}# {TASK_ID}\r\n");
    });

    it("BANK-3 content that is given wins, and without both the file is empty", async () => {
      const { bank, fillBank, text } = await open();
      await fillBank({ "templates/plan-mode.md": "template" });
      expect(await bank.createTaskFile("T-1", "plan", "mine")).toMatchObject({ from: "content" });
      expect(await text(`app/develop/T-1/plan-mode.md`)).toBe("mine");
      expect(await bank.createTaskFile("T-1", "review")).toMatchObject({ from: "nothing" });
      expect(await text(`app/develop/T-1/review-mode.md`)).toBe("");
    });

    it("BANK-3 never overwrites an existing file, also where two ask at once", async () => {
      const { bank, fillBank, text } = await open();
      await fillBank({ "app/develop/T-1/plan-mode.md": "by hand" });
      await expect(bank.createTaskFile("T-1", "plan", "x")).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await text(`app/develop/T-1/plan-mode.md`)).toBe("by hand");
      const both = await Promise.allSettled(["a", "b"].map((text) => bank.createTaskFile("T-2", "plan", text)));
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    it.each(["", ".", "..", "a/b", "../x", "/etc", ".hidden", "a\\b", "CON", "a:b", "T 1 "])(
      "BANK-3 KER-1 refuses %j as a task",
      async (taskId) => {
        const { bank, all } = await open();
        await expect(bank.createTaskFile(taskId, "plan")).rejects.toMatchObject({ code: "INVALID_PATH" });
        expect(await all()).toEqual({});
      },
    );

    it("BANK-3 refuses another kind, and a template that is no text", async () => {
      const { bank, fillBank, all } = await open();
      await expect(bank.createTaskFile("T-1", "../plan" as "plan")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      await fillBank({ "templates/review-mode.md": Buffer.from([0xff, 0xfe]) });
      await expect(bank.createTaskFile("T-1", "review")).rejects.toMatchObject({ code: "NOT_UTF8" });
      expect(Object.keys(await all())).toEqual(["templates/review-mode.md"]);
    });
  });
});

describe("the names of areas", () => {
  it.each(["templates", "Templates", "TEMPLATES"])("BANK-1 cannot be a project called %s", (name) => {
    expect(() => parseProjectName(name)).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect(() => openBank({ name })).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("BANK-1 a project's name is one proper segment", () => {
    expect(parseProjectName("my-app")).toBe("my-app");
    for (const name of ["", ".", "..", "a/b", ".git", "a\\b", "CON"]) {
      expect(() => parseProjectName(name), name).toThrowError(expect.objectContaining({ code: "INVALID_PATH" }));
    }
    const { documents } = openBank();
    const odd = { documents, stamp, hasProject: true };
    for (const areas of [
      { bank: ["relative/app"], templates: ["/base/templates"] },
      { bank: ["/base/../app"], templates: ["/base/templates"] },
      { bank: ["/base/app"], templates: ["/base/templates", "/base/app"] },
    ]) {
      expect(() => createBank({ ...odd, areas })).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
  });
});

describe("what else lies under BASE, and around it", () => {
  it("BANK-1 can be named as configured, through a link, and by its real path", async () => {
    const real = join(scratchFolder(), "real");
    mkdirSync(real);
    const link = join(scratchFolder(), "link");
    symlinkSync(real, link);
    const { bank } = openBank({ base: real, configuredBase: link });
    const made = await bank.createFile(join(real, "app/a.md"), "a");
    expect(made.path).toBe(join(link, "app/a.md"));
    expect((await bank.readFile(join(link, "app/a.md"))).content).toBe("a");
  });

  it("BANK-3 follows no link for a template", async () => {
    const { bank, base } = openBank();
    fill(base, { "other/secret.md": "secret", "templates/x.md": "x" });
    symlinkSync(join(base, "other/secret.md"), join(base, "templates/plan-mode.md"));
    await expect(bank.createTaskFile("T-1", "plan")).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    expect(existsSync(join(base, "app"))).toBe(false);
  });

  it.each<[string, (base: string) => string]>([
    ["BASE itself", (base) => base],
    ["BASE with a slash", (base) => `${base}/`],
    ["a file in BASE", (base) => `${base}/loose.md`],
    ["a sibling project", (base) => `${base}/other/secret.md`],
    ["a prefix look-alike", (base) => `${base}/app-evil/secret.md`],
    ["a look-alike of the templates", (base) => `${base}/templates2/secret.md`],
    ["another case", (base) => `${base}/APP/secret.md`],
    ["a way out by ..", (base) => `${base}/app/../other/secret.md`],
    ["a way out by .. at the end", (base) => `${base}/app/..`],
    ["a . segment", (base) => `${base}/app/./a.md`],
    ["a doubled slash", (base) => `${base}//app/a.md`],
    ["a doubled slash inside", (base) => `${base}/app//a.md`],
    ["a doubled slash in front", (base) => `/${base}/app/a.md`],
    ["an encoded way out", (base) => `${base}/%2e%2e/other/secret.md`],
    ["a password file", () => "/etc/passwd"],
    ["the root", () => "/"],
    ["a file address", (base) => `file://${base}/app/a.md`],
    ["a short file address", (base) => `file:${base}/app/a.md`],
    ["a web address", () => "https://example.org/a.md"],
    ["the home", () => "~"],
    ["a path in the home", () => "~/a.md"],
    ["a path in another's home", () => "~root/a.md"],
    ["a Windows path", () => "C:\\Windows\\system.ini"],
    ["a Windows share", () => "\\\\server\\share\\a.md"],
    ["nothing", () => ""],
    ["no text", () => undefined as unknown as string],
    ["git's folder in the area", (base) => `${base}/app/.git/config`],
    ["git's folder in another spelling", (base) => `${base}/app/.GiT/config`],
  ])("BANK-2 %s is refused at every door, without a word about the host", async (_, pathIn) => {
    const { bank, base, project, areas } = openBank();
    fill(base, {
      "loose.md": "secret",
      "app/a.md": "a",
      "other/secret.md": "secret",
      "app-evil/secret.md": "secret",
      "templates2/secret.md": "secret",
      "app/.git/config": "secret",
    });
    const before = [snapshotOf(base), snapshotOf(project)];
    const path = pathIn(base);
    for (const ask of [() => bank.readFile(path), () => bank.listFolder(path), () => bank.createFile(path, "x")]) {
      const error = await ask().then(
        () => undefined,
        (reason: { code: string; message: string }) => reason,
      );
      expect(error?.code).toBe("NOT_ALLOWED");
      const told = error?.message.replaceAll(areas.bank[0] ?? "", "").replaceAll(areas.templates[0] ?? "", "") ?? "";
      expect(told).not.toMatch(/passwd|secret|\/tmp|\/etc/);
    }
    expect([snapshotOf(base), snapshotOf(project)]).toEqual(before);
  });

  it("BANK-2 the refusal says which paths work", async () => {
    const { bank, areas } = openBank();
    await expect(bank.readFile("/etc/passwd")).rejects.toMatchObject({
      message: expect.stringContaining(`${areas.bank[0]}` as string),
    });
    await expect(bank.readFile("/etc/passwd")).rejects.toMatchObject({
      message: expect.stringMatching(/relative to the project.*templates.*read-only/s),
    });
  });

  it("BANK-1 links out of the areas are refused, whatever they are", async () => {
    const { bank, base } = openBank();
    const outside = scratchFolder();
    fill(outside, { "secret.md": "secret" });
    if (canGiveAway) writeForeignFile(join(outside, "foreign.md"), "secret");
    fill(base, { "app/a.md": "a", "templates/t.md": "t", "other/secret.md": "secret" });
    for (const area of ["app", "templates"]) {
      symlinkSync(join(outside, "secret.md"), join(base, area, "file-link.md"));
      symlinkSync(outside, join(base, area, "folder-link"));
      symlinkSync(join(base, "other"), join(base, area, "sibling"));
      symlinkSync(join(outside, "absent.md"), join(base, area, "dangling.md"));
      if (canGiveAway) linkSync(join(outside, "foreign.md"), join(base, area, "hard.md"));
    }
    const links = ["file-link.md", "folder-link/secret.md", "sibling/secret.md", "dangling.md"];
    const names = canGiveAway ? [...links, "hard.md"] : links;
    for (const name of names) {
      for (const area of ["app", "templates"]) {
        const path = join(base, area, name);
        await expect(bank.readFile(path), path).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
      }
      const refused = { code: "NOT_A_DOCUMENT" };
      await expect(bank.createFile(join(base, "app", name), "x"), name).rejects.toMatchObject(refused);
    }
    await expect(bank.listFolder(join(base, "app/folder-link"))).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    expect(await bank.listFolder(join(base, "app"), { recursive: true })).toMatchObject({
      dirs: [],
      files: canGiveAway ? ["a.md", "hard.md"] : ["a.md"],
    });
    expect(readdirSync(outside)).toEqual(canGiveAway ? ["foreign.md", "secret.md"] : ["secret.md"]);
    expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("secret");
  });
});

describe("a bank inside the project", () => {
  function openInside() {
    const project = join(scratchFolder(), "app");
    const base = join(project, "bank");
    fill(base, { "app/plan.md": "plan", "other/secret.md": "secret", "templates/t.md": "t", "loose.md": "loose" });
    fill(project, { "src/main.ts": "main" });
    return openBank({ project, base, sealBase: true });
  }

  it("KER-8 stays a bank for the project's file tools: names, history, templates, no other area", async () => {
    const { bank, base, store } = openInside();
    expect((await bank.readFile("bank/app/plan.md")).content).toBe("plan");
    await bank.createFile("bank/app/plan.md", "new plan");
    expect((await readTrails(store)).map(({ root }) => root)).toEqual(["bank"]);
    expect(existsSync(join(base, "app/.recollect"))).toBe(true);
    await expect(bank.createFile("bank/app/.hidden", "x")).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(bank.createFile("bank/templates/t.md", "x")).rejects.toMatchObject({ code: "READ_ONLY" });
    for (const path of ["bank/other/secret.md", "bank/loose.md", "bank/new.md"]) {
      await expect(bank.readFile(path), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      await expect(bank.createFile(path, "x"), path).rejects.toMatchObject({ code: "READ_ONLY" });
    }
    await expect(bank.listFolder("bank")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(bank.listFolder("bank/other")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(await bank.listFolder(".", { recursive: true })).toMatchObject({ dirs: ["src"], files: ["src/main.ts"] });
    expect(await bank.listFolder("bank/app")).toMatchObject({ files: ["bank/app/plan.md"] });
  });
});

describe("a project without a bank", () => {
  it("BANK-2 the project works alone, and every absolute path is refused", async () => {
    const { bank, base, project } = openBank({ without: "bank" });
    fill(base, { "app/a.md": "a" });
    await bank.createFile("a.md", "a");
    expect((await bank.readFile("a.md")).content).toBe("a");
    for (const path of [join(base, "app/a.md"), join(project, "a.md"), "/"]) {
      await expect(bank.readFile(path), path).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
    await expect(bank.createTaskFile("T-1", "plan")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });
});
